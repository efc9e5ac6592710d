package io.sluice.relay.kafka;

import io.sluice.relay.contract.TopicStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The connection settings of Kafka, and the clients that the relay creates with them. Thread-safe; each call creates a
 * new client, which closes within seconds, also when no broker answers.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param clientSettings further settings of Kafka's clients (security), passed on unchanged; never logged
 * @param learned bootstrap servers of clients that are created for a takeover
 */
public record KafkaAccess(String bootstrapServers, Map<String, String> clientSettings, LearnedBrokers learned) {
    /**
     * After this time the broker aborts an open transaction; a reader of positions waits that long. It is longer than
     * Kafka needs to replace a silent broker, even the active controller: a transaction that is given up before that
     * has to be aborted at the silent broker too, for which its coordinator waits half a minute.
     */
    public static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(20);

    /** A producer that is closed waits so long for brokers to take what it has not sent. */
    public static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    /** The maximal size of a record. */
    public static final int MAX_RECORD_BYTES = TopicStorage.LARGE_RECORD_BYTES;

    private static final int PARTITION_FETCH_BYTES = 256 * 1024;
    private static final int FETCH_BYTES = 2 * MAX_RECORD_BYTES;

    /**
     * After this time, or at most twice as long, a client gives up a silent broker and asks another. Kafka needs ten to
     * thirteen seconds to replace a broker, and the client must ask again after that within the life of a transaction.
     * Yet a page of history must get through a slow line.
     */
    private static final int REQUEST_TIMEOUT_MILLIS = 3_000;

    private static final int QUESTION_TIMEOUT_MILLIS = 2_000;
    private static final int LISTENER_WAIT_MILLIS = 250;
    private static final int ADMIN_TIMEOUT_MILLIS = 5_000;
    private static final int CALL_TIMEOUT_MILLIS = 10_000;
    private static final int ANNOUNCEMENT_TIMEOUT_MILLIS = 5_000;
    private static final int SESSION_TIMEOUT_MILLIS = 7_000;
    private static final int HEARTBEAT_MILLIS = 1_000;

    public KafkaAccess {
        clientSettings = Map.copyOf(clientSettings);
    }

    /** Without learned brokers. */
    public KafkaAccess(String bootstrapServers, Map<String, String> clientSettings) {
        this(bootstrapServers, clientSettings, new LearnedBrokers());
    }

    /** A client for topics, groups and offsets. */
    public BoundedAdmin admin() {
        return admin(common(), ADMIN_TIMEOUT_MILLIS);
    }

    /** A client that only reads: it gives up a silent broker sooner than a client that creates or changes something. */
    public BoundedAdmin adminForReading() {
        return admin(common(), QUESTION_TIMEOUT_MILLIS);
    }

    private static BoundedAdmin admin(Map<String, Object> settings, int requestTimeoutMillis) {
        settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, requestTimeoutMillis);
        settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_TIMEOUT_MILLIS);
        return new BoundedAdmin(settings);
    }

    /**
     * A member of a consumer group.
     *
     * @param offsetReset where to begin without a committed offset: {@code latest} or {@code none}
     */
    public Consumer<byte[], byte[]> groupMember(String group, String offsetReset) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, offsetReset);
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        settings.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        return consumer(settings);
    }

    /** A consumer of committed records without a group, for partitions named by the caller. */
    public Consumer<byte[], byte[]> reader() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, learned.or(bootstrapServers));
        return consumer(settings);
    }

    /**
     * The same for a topic that is read all the time and to which many write: it asks four times a second rather than
     * once for each record.
     */
    public Consumer<byte[], byte[]> listener() {
        return consumer(Map.of(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "latest",
                ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                PARTITION_FETCH_BYTES,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                LISTENER_WAIT_MILLIS));
    }

    private Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
        Map<String, Object> settings = common();
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, IsolationLevel.READ_COMMITTED.toString());
        // Fetched records stay in memory until they are polled, for each partition.
        settings.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_FETCH_BYTES);
        settings.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        settings.putAll(more);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * A transactional producer; it sends nothing before its {@code initTransactions}.
     *
     * @param writesTo topics that must exist, see {@link #requireTopics}
     * @throws UnknownTopicOrPartitionException if one of them does not
     */
    public BoundedProducer transactional(String transactionalId, String... writesTo) {
        requireTopics(writesTo);
        Map<String, Object> settings = fromLearned();
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_RECORD_BYTES);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * MAX_RECORD_BYTES);
        return new BoundedProducer(settings);
    }

    /**
     * A producer without transactions, for records that may be repeated and have an id.
     *
     * @param writesTo topics that must exist, see {@link #requireTopics}
     * @throws UnknownTopicOrPartitionException if one of them does not
     */
    public BoundedProducer idempotent(String... writesTo) {
        requireTopics(writesTo);
        return idempotent(common(), CALL_TIMEOUT_MILLIS);
    }

    /**
     * The same for announcements of work, for each of which somebody waits: it delays no record to make a batch larger,
     * and gives it up after some seconds, since history waits for it.
     */
    public BoundedProducer announcing(String... writesTo) {
        requireTopics(writesTo);
        Map<String, Object> settings = common();
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        return idempotent(settings, ANNOUNCEMENT_TIMEOUT_MILLIS);
    }

    private static BoundedProducer idempotent(Map<String, Object> settings, int timeoutMillis) {
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMillis);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_RECORD_BYTES);
        return new BoundedProducer(settings);
    }

    /**
     * A producer without transactions that gives up a record if its topic does not accept it in time, so that it does
     * not delay others.
     *
     * @param limit for each record
     * @param writesTo topics that must exist, see {@link #requireTopics}
     * @throws UnknownTopicOrPartitionException if one of them does not
     */
    public BoundedProducer bounded(Duration limit, String... writesTo) {
        requireTopics(writesTo);
        int millis = (int) limit.toMillis();
        Map<String, Object> settings = common();
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis / 2);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis / 2);
        return new BoundedProducer(settings);
    }

    /**
     * Checks that topics exist, with a client that never creates one. A producer can't be configured so: if brokers
     * have {@code auto.create.topics.enable}, its first record to a deleted topic would create the topic again, with
     * default settings.
     *
     * @throws UnknownTopicOrPartitionException naming the missing topics
     * @throws KafkaException when Kafka does not answer
     */
    private void requireTopics(String... names) {
        if (names.length == 0) {
            return;
        }
        try (var admin = admin(fromLearned(), QUESTION_TIMEOUT_MILLIS)) {
            var brokers = admin.describeCluster().nodes();
            var missing = new ArrayList<String>();
            for (var asked :
                    admin.describeTopics(List.of(names)).topicNameValues().entrySet()) {
                try {
                    asked.getValue().get();
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                        learned.forget();
                        throw new KafkaException("can't ask for topic " + asked.getKey(), e.getCause());
                    }
                    missing.add(asked.getKey());
                }
            }
            learn(brokers);
            if (!missing.isEmpty()) {
                throw new UnknownTopicOrPartitionException("missing: " + missing + "; run provision");
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void learn(KafkaFuture<Collection<Node>> brokers) throws InterruptedException {
        try {
            learned.are(brokers.get());
        } catch (ExecutionException e) {
            // This user may lack the right to see the brokers; then the configured list is used.
            learned.forget();
        }
    }

    private Map<String, Object> fromLearned() {
        var settings = common();
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, learned.or(bootstrapServers));
        return settings;
    }

    private Map<String, Object> common() {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return settings;
    }

    /** Without the values of the client settings, which may be passwords. */
    @Override
    public String toString() {
        return "KafkaAccess[" + bootstrapServers + ", client settings " + clientSettings.keySet() + "]";
    }
}
