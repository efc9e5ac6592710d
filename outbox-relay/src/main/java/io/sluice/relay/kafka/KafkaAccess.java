package io.sluice.relay.kafka;

import io.sluice.relay.contract.TopicStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How to reach Kafka, and the clients the relay makes of it. Thread-safe; each call makes a client of its own.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param clientSettings further settings of Kafka's clients (security), handed on as they are; kept out of logs
 * @param learned where clients begin that are made for a takeover
 */
public record KafkaAccess(String bootstrapServers, Map<String, String> clientSettings, LearnedBrokers learned) {
    /**
     * How long an open transaction may stay before the broker aborts it; a reader of positions waits that long. Longer
     * than Kafka takes to put others in the place of a silent broker that was the active controller, too: a transaction
     * that is given up before is aborted at that broker as well, for which its coordinator waits half a minute.
     */
    public static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(20);

    /** The largest record that is sent. */
    public static final int MAX_RECORD_BYTES = TopicStorage.LARGE_RECORD_BYTES;

    private static final int PARTITION_FETCH_BYTES = 256 * 1024;
    private static final int FETCH_BYTES = 2 * MAX_RECORD_BYTES;

    /**
     * After which a silent broker is given up and another asked; a client may notice as late as after twice that. Kafka
     * takes ten to thirteen seconds to put another in its place, and within the life of a transaction a client must ask
     * again after that. Yet a page of history must get through a slow line.
     */
    private static final int REQUEST_TIMEOUT_MILLIS = 3_000;

    private static final int QUESTION_TIMEOUT_MILLIS = 2_000;
    private static final int ADMIN_TIMEOUT_MILLIS = 5_000;
    private static final int CALL_TIMEOUT_MILLIS = 10_000;
    private static final int SESSION_TIMEOUT_MILLIS = 9_000;
    private static final int HEARTBEAT_MILLIS = 3_000;

    public KafkaAccess {
        clientSettings = Map.copyOf(clientSettings);
    }

    /** The same, where nothing is known yet. */
    public KafkaAccess(String bootstrapServers, Map<String, String> clientSettings) {
        this(bootstrapServers, clientSettings, new LearnedBrokers());
    }

    /** A client for topics, groups and offsets. */
    public Admin admin() {
        return admin(common(), ADMIN_TIMEOUT_MILLIS);
    }

    /** A client for questions alone: it gives a silent broker up sooner than what makes or changes something may. */
    public Admin adminForReading() {
        return admin(common(), QUESTION_TIMEOUT_MILLIS);
    }

    private static Admin admin(Properties settings, int requestTimeoutMillis) {
        settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, requestTimeoutMillis);
        settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_TIMEOUT_MILLIS);
        return Admin.create(settings);
    }

    /**
     * A consumer that shares a topic with its group.
     *
     * @param offsetReset what to do without a committed offset: {@code latest} or {@code none}
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

    private Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
        Properties settings = common();
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, IsolationLevel.READ_COMMITTED.toString());
        // What was fetched and not polled yet stays in memory, of each partition.
        settings.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_FETCH_BYTES);
        settings.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        settings.putAll(more);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * A producer of transactions; nothing is sent before its {@code initTransactions}.
     *
     * @param writesTo topics that must be there, see {@link #mustBeThere}
     * @throws UnknownTopicOrPartitionException when one of them is not
     */
    public Producer<byte[], byte[]> transactional(String transactionalId, String... writesTo) {
        mustBeThere(writesTo);
        Properties settings = fromLearned();
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_RECORD_BYTES);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * MAX_RECORD_BYTES);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * A producer without transactions, for what may be repeated and carries an id of its own.
     *
     * @param writesTo topics that must be there, see {@link #mustBeThere}
     * @throws UnknownTopicOrPartitionException when one of them is not
     */
    public Producer<byte[], byte[]> idempotent(String... writesTo) {
        mustBeThere(writesTo);
        Properties settings = common();
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, CALL_TIMEOUT_MILLIS);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, CALL_TIMEOUT_MILLIS);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_RECORD_BYTES);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * A producer without transactions that gives a record up when its topic doesn't take it in time, rather than hold
     * up others.
     *
     * @param limit for each record
     */
    public Producer<byte[], byte[]> bounded(Duration limit) {
        int millis = (int) limit.toMillis();
        Properties settings = common();
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis / 2);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis / 2);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Makes sure that topics are there, by a client that makes none by asking. A producer can't be told that: where
     * brokers have {@code auto.create.topics.enable}, its first record to a topic that is gone would make it anew, with
     * settings of nobody's choice.
     *
     * @throws UnknownTopicOrPartitionException naming those that are missing
     * @throws KafkaException when nobody answers
     */
    private void mustBeThere(String... names) {
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
            // A cluster may keep that from this user; then the configured list serves.
            learned.forget();
        }
    }

    private Properties fromLearned() {
        var settings = common();
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, learned.or(bootstrapServers));
        return settings;
    }

    private Properties common() {
        var settings = new Properties();
        settings.putAll(clientSettings);
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return settings;
    }

    /** Where, but not the client settings: they may hold passwords. */
    @Override
    public String toString() {
        return "KafkaAccess[" + bootstrapServers + ", client settings " + clientSettings.keySet() + "]";
    }
}
