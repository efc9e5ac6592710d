package io.sluice.testkit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a cluster as its brokers report it; an answer that takes longer than seconds counts as none. Not
 * thread-safe.
 */
final class ClusterView implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);
    private static final int ANSWER_MILLIS = 5_000;

    private final Admin admin;

    private ClusterView(Admin admin) {
        this.admin = admin;
    }

    static ClusterView of(String bootstrapServers) {
        return new ClusterView(Admin.create(Map.of(
                "bootstrap.servers", bootstrapServers,
                "request.timeout.ms", ANSWER_MILLIS / 2,
                "default.api.timeout.ms", ANSWER_MILLIS)));
    }

    /** The brokers that are registered with the controller. */
    Set<Integer> members() throws InterruptedException {
        return ask(admin.describeCluster().nodes()).orElse(List.of()).stream()
                .map(Node::id)
                .collect(Collectors.toSet());
    }

    Optional<TopicPartitionInfo> partition(String topic, int partition) throws InterruptedException {
        var described =
                ask(admin.describeTopics(List.of(topic)).allTopicNames()).orElse(Map.of());
        return Optional.ofNullable(described.get(topic))
                .flatMap(found -> found.partitions().stream()
                        .filter(each -> each.partition() == partition)
                        .findFirst());
    }

    /** Whether every partition, of Kafka's own topics too, has a leader that is not this broker. */
    boolean isLedWithout(int broker) throws InterruptedException {
        var topics = ask(admin.listTopics(new ListTopicsOptions().listInternal(true))
                        .names())
                .orElse(Set.of());
        var described = ask(admin.describeTopics(topics).allTopicNames()).orElse(Map.of());
        return !described.isEmpty()
                && described.values().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .map(TopicPartitionInfo::leader)
                        .allMatch(leader -> leader != null && !leader.isEmpty() && leader.id() != broker);
    }

    private static <T> Optional<T> ask(KafkaFuture<T> question) throws InterruptedException {
        try {
            return Optional.of(question.get(2L * ANSWER_MILLIS, TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            LOG.atDebug().setCause(e).log("no broker answers");
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        admin.close(KafkaTopics.CLOSE_LIMIT);
    }
}
