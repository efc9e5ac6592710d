package io.sluice.relay.runtime;

import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.Checks;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.history.HistoryDryRun;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.StartFaults;
import io.sluice.relay.topic.KafkaPrerequisites;
import io.sluice.relay.topic.Rights;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
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
public record RelayConnections(
        RelayConfig config, CosmosStore store, FeedClient feed, KafkaAccess kafka, InstantSource clock)
        implements AutoCloseable {
    /**
     * Connects to Cosmos and Kafka.
     *
     * @throws PrerequisiteException naming each of the two that can't be reached or does not fit
     */
    public static RelayConnections open(RelayConfig config) {
        return open(config, null, UnaryOperator.identity());
    }

    /**
     * Connects with configurations that the caller has prepared.
     *
     * @param clock null for the time of the service
     * @param prepared changes the configuration of a client; called for each
     */
    public static RelayConnections open(
            RelayConfig config, @Nullable InstantSource clock, UnaryOperator<CosmosStoreConfig> prepared) {
        var kafka = config.kafka().access();
        var faults = new StartFaults();
        faults.check(prerequisites(config, kafka)::requireAnswer);
        var store = faults.attempt(() -> CosmosStore.open(prepared.apply(config.cosmos())));
        if (store == null || !faults.isEmpty()) {
            if (store != null) {
                store.close();
            }
            throw faults.asOne();
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

    /**
     * Checks the registered prefix and the topics. Creates none while anything is wrong.
     *
     * @param mayCreate whether to create missing topics
     * @return warnings
     * @throws io.sluice.program.PrerequisiteException naming every fault, with the remedy
     */
    public List<String> prepare(boolean mayCreate) {
        var faults = new StartFaults();
        faults.check(this::requirePrefix);
        try (var admin = kafka.admin()) {
            var topics = prerequisites().topicAdmin(admin);
            var plan = faults.attempt(() -> prerequisites().plan(topics, mayCreate, this::newPartitions));
            if (plan == null || !faults.isEmpty()) {
                throw faults.asOne();
            }
            return topics.create(plan);
        }
    }

    /** What a relay needs of Kafka. */
    public KafkaPrerequisites prerequisites() {
        return prerequisites(config, kafka);
    }

    /** The same before there are connections. */
    public static KafkaPrerequisites prerequisites(RelayConfig config, KafkaAccess kafka) {
        var uses = EnumSet.of(Rights.Use.RELAY);
        if (config.streams().enabled()) {
            uses.add(Rights.Use.STREAMS);
        }
        if (config.dispatch().enabled()) {
            uses.add(Rights.Use.DISPATCH);
        }
        var names = config.kafka();
        return new KafkaPrerequisites(
                kafka, new Topics(names.prefix()), uses, names.provisioning().rules(false), names.transactionVersion());
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
    public void requirePrefix() {
        feed.registration().requireFreeFor(topics().prefix());
    }

    /** The names of the topics. */
    public Topics topics() {
        return new Topics(config.kafka().prefix());
    }

    /** Whether a topic is a relay's own, with the configured prefix or the prefix registered for the container. */
    public boolean isOwn(String topic) {
        return topics().isOwn(topic)
                || feed.registration()
                        .prefix()
                        .filter(prefix -> new Topics(prefix).isOwn(topic))
                        .isPresent();
    }

    /**
     * Checks that Kafka offers the transactions, and gives this user the rights, that a relay needs.
     *
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    void requireKafka() {
        var faults = new StartFaults();
        faults.check(prerequisites()::requireTransactions);
        faults.check(prerequisites()::requireRights);
        faults.throwIfAny();
    }

    /**
     * Checks all prerequisites of a relay, those in the store and those in Kafka side by side, and creates nothing.
     *
     * @param limit the longest it takes
     * @return what could be better, a line each
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    public static List<String> check(RelayConfig config, Duration limit) throws InterruptedException {
        var checks = new Checks(limit);
        var kafka = prerequisites(config, config.kafka().access());
        checks.need(
                "Kafka at " + config.kafka().bootstrapServers(),
                "check that all of its brokers are up, and can be reached under the addresses that they advertise",
                faultsOf(kafka::requireAnswer),
                List.of(
                        faultsOf(kafka::requireTransactions),
                        faultsOf(kafka::requireRights),
                        () -> checkTopics(kafka)));
        checks.need("the store at " + config.cosmos().endpoint(), Checks.OF_STORE, () -> checkStore(config));
        return checks.await();
    }

    private static Callable<List<String>> faultsOf(Runnable check) {
        return () -> {
            check.run();
            return List.of();
        };
    }

    private static List<String> checkTopics(KafkaPrerequisites needed) {
        try (var admin = needed.kafka().admin()) {
            var topics = needed.topicAdmin(admin);
            // What exists is checked whatever its number of partitions, and nothing is made.
            var plan = needed.plan(topics, false, () -> KafkaPrerequisites.LEAST_POSITIONS);
            return topics.create(plan).stream()
                    .map(warning -> "warning: " + warning)
                    .toList();
        }
    }

    private static List<String> checkStore(RelayConfig config) {
        try (var store = CosmosStore.open(config.cosmos());
                var feed = FeedClient.open(config.cosmos())) {
            feed.registration().requireFreeFor(config.kafka().prefix());
            return store.differences().stream().map(each -> "differs: " + each).toList();
        }
    }

    /** Reads the histories that wait to be published. */
    public HistoryDryRun historyDryRun(Admin admin) {
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
        return Math.max(KafkaPrerequisites.LEAST_POSITIONS, 2 * feed.physicalPartitions());
    }

    /** A URI of account, database and container: several stores can share a Kafka cluster. */
    public URI eventSource() {
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
