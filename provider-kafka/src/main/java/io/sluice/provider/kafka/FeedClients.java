package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes the clients of a feed from the properties that it was given. */
final class FeedClients {
    private static final String ANSWER_MILLIS = "10000";
    /** The shortest that brokers allow by default ({@code group.min.session.timeout.ms}). */
    private static final String SESSION_MILLIS = "6000";
    /** Members learn by a heartbeat that another one is missed. */
    private static final String HEARTBEAT_MILLIS = "1500";
    /** Others wait so long for a member whose thread stands still; longer than a request and its repetition. */
    private static final String LONGEST_STEP_MILLIS = "30000";
    /** Well after a client has given up three requests, one after the other. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private static final Duration ADMIN_CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private FeedClients() {}

    static Map<String, Object> adminProperties(FeedConfig config, String what) {
        Map<String, Object> properties = common(config, what);
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        return properties;
    }

    /** Closes it within a second. Without a limit it may wait for five minutes for a call that got no answer. */
    static void close(Admin admin) {
        admin.close(ADMIN_CLOSE_LIMIT);
    }

    /**
     * A member of a consumer group of the classic protocol, in which the client says when it is missed. In the one
     * since Kafka 4.0 the broker does: by default after 45 s, and never sooner. Members keep what stays theirs.
     */
    static Consumer<byte[], byte[]> groupConsumer(FeedConfig config, String group) {
        Map<String, Object> properties = consumer(config, "turns");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, GroupProtocol.CLASSIC.name());
        properties.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        properties.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, LONGEST_STEP_MILLIS);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** A consumer without a group. */
    static Consumer<byte[], byte[]> assignedConsumer(FeedConfig config, String what) {
        return new KafkaConsumer<>(consumer(config, what), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** A member of a share group that takes so many records at a time, and only when it polls. */
    static ShareConsumer<byte[], byte[]> shareConsumer(FeedConfig config, String group, int mostRecords) {
        Map<String, Object> properties = common(config, "activities");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        properties.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
        properties.put(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(mostRecords));
        return new KafkaShareConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** How many fetches it has sent and got an answer to: none before it has joined its group. */
    static double fetches(ShareConsumer<byte[], byte[]> consumer) {
        return consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("fetch-total"))
                .mapToDouble(metric -> (Double) metric.getValue().metricValue())
                .sum();
    }

    /** Sends what may be repeated, and says soon when it could not. */
    static Producer<byte[], byte[]> producer(FeedConfig config) {
        Map<String, Object> properties = common(config, "writer");
        properties.keySet().retainAll(ProducerConfig.configNames());
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false");
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, "1048576");
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "2000");
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "5000");
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Waits for the answer of an admin client.
     *
     * @throws KafkaException when none comes, though the client limits its requests itself
     */
    static <T> T answer(KafkaFuture<T> request) throws InterruptedException, ExecutionException {
        try {
            return request.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw noAnswer(e);
        }
    }

    /** Whether a request that was sent then should have been answered, or given up by its client. */
    static boolean isOverdue(long sentNanos) {
        return System.nanoTime() - sentNanos > LONGEST_WAIT.toNanos();
    }

    static KafkaException noAnswer(TimeoutException cause) {
        return new KafkaException("an admin client gave no answer within " + LONGEST_WAIT, cause);
    }

    /** Why brokers did not do what an admin client asked for. */
    static KafkaException failure(ExecutionException answer) {
        return answer.getCause() instanceof KafkaException cause ? cause : new KafkaException(answer.getCause());
    }

    private static Map<String, Object> consumer(FeedConfig config, String what) {
        Map<String, Object> properties = common(config, what);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        return properties;
    }

    /** Two clients of one name would clash in JMX. */
    private static Map<String, Object> common(FeedConfig config, String what) {
        Map<String, Object> properties = new HashMap<>(config.clientProperties());
        Object name = properties.getOrDefault(CommonClientConfigs.CLIENT_ID_CONFIG, config.prefix() + "-work");
        properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, name + "-" + what + "-" + NUMBER.incrementAndGet());
        return properties;
    }
}
