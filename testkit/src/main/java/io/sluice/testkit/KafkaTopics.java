package io.sluice.testkit;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Topics that take records as soon as they are made. Kafka answers the creation of a topic before its brokers lead its
 * partitions; of two records that a producer sends in between, the first may be refused and the second stored, and then
 * the first one's retries fail until the delivery times out (KAFKA-15591).
 */
public final class KafkaTopics {
    /** An admin client that is closed waits so long for calls without an answer. */
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int TIMEOUT_MILLIS = (int) TIMEOUT.toMillis();

    private KafkaTopics() {}

    /** As {@link #create(Admin, Collection)}. */
    public static void create(Admin admin, NewTopic... topics) {
        create(admin, List.of(topics));
    }

    /**
     * Creates topics and returns when every partition of each has a leader that serves it.
     *
     * @throws IllegalStateException with Kafka's exception as its cause, when one can't be created, for instance
     *     because it exists, or is not served within a minute
     */
    public static void create(Admin admin, Collection<NewTopic> topics) {
        CreateTopicsResult created = admin.createTopics(topics, new CreateTopicsOptions().timeoutMs(TIMEOUT_MILLIS));
        await("create topics", created.all());
        Map<TopicPartition, OffsetSpec> starts = new HashMap<>();
        for (NewTopic topic : topics) {
            int partitions = await("count the partitions of " + topic.name(), created.numPartitions(topic.name()));
            for (int partition = 0; partition < partitions; partition++) {
                starts.put(new TopicPartition(topic.name(), partition), OffsetSpec.earliest());
            }
        }
        awaitLed(admin, starts);
    }

    /** The client asks again while a partition has no leader, but not while a broker does not know the topic. */
    private static void awaitLed(Admin admin, Map<TopicPartition, OffsetSpec> starts) {
        long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                await(
                        "reach the leaders of new topics",
                        admin.listOffsets(starts).all());
                return;
            } catch (IllegalStateException e) {
                boolean unknown = e.getCause() instanceof UnknownTopicOrPartitionException;
                if (!unknown || System.nanoTime() > deadlineNanos) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private static <T> T await(String what, KafkaFuture<T> answer) {
        try {
            return answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("can't " + what, e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("can't " + what + " within " + TIMEOUT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted, could not " + what, e);
        }
    }
}
