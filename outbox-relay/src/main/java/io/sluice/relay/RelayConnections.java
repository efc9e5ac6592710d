package io.sluice.relay;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.history.HistoryDryRun;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.kafka.KafkaConnectivity;
import io.sluice.relay.topic.Rights;
import io.sluice.relay.topic.TopicAdmin;
import io.sluice.relay.topic.Topics;
import io.sluice.relay.topic.TransactionSupport;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a relay: to its store, to the change feed of the store, and to Kafka.
 *
 * @param store opened and checked
 * @param feed the relay's own connection
 * @param kafka how to reach Kafka
 * @param clock the time of the service, unless a test gives another
 */
record RelayConnections(RelayConfig config, CosmosStore store, FeedClient feed, KafkaAccess kafka, InstantSource clock)
        implements AutoCloseable {
    private static final int LEAST_PARTITIONS = 32;

    /**
     * Connects to Cosmos and Kafka.
     *
     * @throws PrerequisiteException naming each of the two that can't be reached or does not fit
     */
    static RelayConnections open(RelayConfig config) {
        return open(config, null, UnaryOperator.identity());
    }

    /**
     * Connects with configurations that the caller has prepared.
     *
     * @param clock null for the time of the service
     * @param prepared changes the configuration of a client; called for each
     */
    static RelayConnections open(
            RelayConfig config, @Nullable InstantSource clock, UnaryOperator<CosmosStoreConfig> prepared) {
        var kafka = config.kafka().access();
        var faults = new ArrayList<RuntimeException>();
        check(() -> checkAnswer(kafka), faults);
        var store = attempt(() -> CosmosStore.open(prepared.apply(config.cosmos())), faults);
        if (store == null || !faults.isEmpty()) {
            if (store != null) {
                store.close();
            }
            throw asOne(faults);
        }
        return of(config, store, kafka, clock, prepared);
    }

    /**
     * Connects to Cosmos only; Kafka is not asked.
     *
     * @param clock null for the time of the service
     * @throws PrerequisiteException or {@link ProviderException} if it can't be reached or does not fit
     */
    static RelayConnections openStore(RelayConfig config, @Nullable InstantSource clock) {
        var kafka = config.kafka().access();
        return of(config, CosmosStore.open(config.cosmos()), kafka, clock, UnaryOperator.identity());
    }

    private static RelayConnections of(
            RelayConfig config,
            CosmosStore store,
            KafkaAccess kafka,
            @Nullable InstantSource clock,
            UnaryOperator<CosmosStoreConfig> prepared) {
        try {
            var feed = FeedClient.open(prepared.apply(config.cosmos()));
            ThroughputLimit.apply(config.operations(), store, feed);
            return new RelayConnections(config, store, feed, kafka, clock == null ? store.clock() : clock);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static void checkAnswer(KafkaAccess kafka) {
        var connectivity = new KafkaConnectivity(kafka);
        connectivity.checkSettings();
        var admin = kafka.admin();
        try {
            connectivity.checkAnswer(admin);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private static <T> @Nullable T attempt(Supplier<T> step, List<RuntimeException> faults) {
        try {
            return step.get();
        } catch (PrerequisiteException | ProviderException e) {
            faults.add(e);
            return null;
        }
    }

    private static void check(Runnable step, List<RuntimeException> faults) {
        attempt(
                () -> {
                    step.run();
                    return true;
                },
                faults);
    }

    private static PrerequisiteException asOne(List<RuntimeException> faults) {
        var all =
                faults.stream().map(fault -> String.valueOf(fault.getMessage())).collect(Collectors.joining("; "));
        var one = new PrerequisiteException(all, faults.get(0));
        faults.stream().skip(1).forEach(one::addSuppressed);
        return one;
    }

    /**
     * Checks the registered prefix and the topics.
     *
     * @param mayCreate whether to create missing topics
     * @return warnings
     * @throws io.sluice.program.PrerequisiteException naming every fault, with the remedy
     */
    List<String> prepare(boolean mayCreate) {
        var faults = new ArrayList<RuntimeException>();
        check(this::requirePrefix, faults);
        var report = attempt(() -> prepareTopics(mayCreate), faults);
        if (report == null || !faults.isEmpty()) {
            throw asOne(faults);
        }
        return report;
    }

    /**
     * Registers this prefix for the store, if none is registered.
     *
     * @throws PrerequisiteException if another one is registered
     */
    void register() {
        feed.registration().register(topics().prefix());
    }

    /**
     * Checks that the container is published under no other prefix.
     *
     * @throws PrerequisiteException if it is
     */
    void requirePrefix() {
        feed.registration().requireFreeFor(topics().prefix());
    }

    /** The names of the topics. */
    Topics topics() {
        return topics(config);
    }

    private static Topics topics(RelayConfig config) {
        return new Topics(config.kafka().prefix());
    }

    /** Whether a topic is a relay's own, with the configured prefix or the prefix registered for the container. */
    boolean isOwn(String topic) {
        return topics().isOwn(topic)
                || feed.registration()
                        .prefix()
                        .filter(prefix -> new Topics(prefix).isOwn(topic))
                        .isPresent();
    }

    private List<String> prepareTopics(boolean mayCreate) {
        try (Admin admin = kafka.admin()) {
            return new TopicAdmin(admin, kafka, topics())
                    .ensure(config.kafka().provisioning().rules(mayCreate), furtherTopics(), this::newPartitions);
        }
    }

    private List<TopicContract> furtherTopics() {
        var further = new ArrayList<TopicContract>();
        if (config.streams().enabled()) {
            further.addAll(TopicCatalogue.STREAMS);
        }
        if (config.dispatch().enabled()) {
            further.addAll(TopicCatalogue.DISPATCH);
        }
        return further;
    }

    /**
     * Checks that Kafka offers the transactions, and gives this user the rights, that a relay needs.
     *
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    void requireKafka() {
        var faults = new ArrayList<RuntimeException>();
        requireKafka(faults);
        if (!faults.isEmpty()) {
            throw asOne(faults);
        }
    }

    private void requireKafka(List<RuntimeException> faults) {
        check(this::requireTransactions, faults);
        check(this::requireRights, faults);
    }

    /**
     * Checks that Kafka's brokers offer the transactions that a relay needs.
     *
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    void requireTransactions() {
        try (Admin admin = kafka.admin()) {
            TransactionSupport.require(
                    admin,
                    kafka.bootstrapServers(),
                    topics(),
                    config.kafka().transactionVersion());
        }
    }

    /**
     * Checks that this user of Kafka has the rights that a relay needs.
     *
     * @throws PrerequisiteException naming every missing right
     */
    void requireRights() {
        var uses = EnumSet.of(Rights.Use.RELAY);
        if (config.streams().enabled()) {
            uses.add(Rights.Use.STREAMS);
        }
        if (config.dispatch().enabled()) {
            uses.add(Rights.Use.DISPATCH);
        }
        try (Admin admin = kafka.admin()) {
            Rights.require(admin, topics(), uses);
        }
    }

    /**
     * Checks all prerequisites of a relay, and creates nothing.
     *
     * @return warnings, each with the remedy
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    List<String> check() {
        var faults = new ArrayList<RuntimeException>();
        requireKafka(faults);
        var warnings = attempt(() -> prepare(false), faults);
        if (warnings == null || !faults.isEmpty()) {
            throw asOne(faults);
        }
        return warnings;
    }

    /** Reads the histories that wait to be published. */
    HistoryDryRun historyDryRun(Admin admin) {
        int pageSize = config.feed().pageSize();
        var source = new HistoryDryRun.Source(
                eventSource(),
                feed.containerRid(),
                range -> new RangeReader(feed.container(), range, pageSize),
                feed::physicalRanges);
        return new HistoryDryRun(kafka, admin, topics(), source, store.clock());
    }

    /** The partitions of the positions topic if it has to be made: ranges are spread over them, also after splits. */
    int newPartitions() {
        return Math.max(LEAST_PARTITIONS, 2 * feed.physicalPartitions());
    }

    /** A URI of account, database and container: several stores can share a Kafka cluster. */
    URI eventSource() {
        try {
            return new URI(
                    "cosmos", store.accountName(), "/" + store.databaseName() + "/" + store.containerName(), null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("account, database and container make no event source", e);
        }
    }

    @Override
    public void close() {
        feed.close();
        store.close();
    }
}
