package io.sluice.examples.durabletask.kafka;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatusDeserializer;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.LifecycleEventDeserializer;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.client.lifecycle.OrchestrationStatisticsDeserializer;
import io.sluice.client.lifecycle.StuckInstance;
import io.sluice.client.lifecycle.StuckInstanceDeserializer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** A relay's topics, read from their beginning to their present end, as any consumer would. */
final class Published implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final String bootstrapServers;
    private final String prefix;
    private final KafkaConsumer<String, byte[]> consumer;

    Published(String bootstrapServers, String prefix) {
        this.bootstrapServers = bootstrapServers;
        this.prefix = prefix;
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false);
        this.consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    }

    private record Entry<V>(String key, @Nullable V value) {}

    String bootstrapServers() {
        return bootstrapServers;
    }

    String prefix() {
        return prefix;
    }

    /** Of one instance, in order. */
    List<LifecycleEvent> lifecycle(String instance) {
        return all(".lifecycle", new LifecycleEventDeserializer()).stream()
                .filter(published -> published.key().equals(instance))
                .map(published -> Objects.requireNonNull(published.value()))
                .toList();
    }

    Optional<InstanceStatus> status(String instance) {
        return Optional.ofNullable(
                last(".status", new InstanceStatusDeserializer()).get(instance));
    }

    /** The latest of each window of an orchestration. */
    List<OrchestrationStatistics> statistics(String orchestration) {
        return last(".statistics", new OrchestrationStatisticsDeserializer()).values().stream()
                .filter(window -> window.orchestration().equals(orchestration))
                .toList();
    }

    /** Empty once it moves again. */
    Optional<StuckInstance> stuck(String instance) {
        return Optional.ofNullable(
                last(".stuck", new StuckInstanceDeserializer()).get(instance));
    }

    int deadLetters() {
        return all(".dead-letters", new ByteArrayDeserializer()).size();
    }

    private <V> Map<String, V> last(String topic, Deserializer<V> values) {
        Map<String, V> last = new HashMap<>();
        all(topic, values).forEach(published -> {
            if (published.value() == null) {
                last.remove(published.key());
            } else {
                last.put(published.key(), published.value());
            }
        });
        return last;
    }

    /** Making a consumer costs far more than a look, and tests look again and again. */
    private synchronized <V> List<Entry<V>> all(String topic, Deserializer<V> values) {
        List<Entry<V>> all = new ArrayList<>();
        List<TopicPartition> partitions = consumer.partitionsFor(prefix + topic).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL)
                    .forEach(found -> all.add(new Entry<>(
                            found.key(), found.value() == null ? null : values.deserialize(topic, found.value()))));
        }
        return all;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
