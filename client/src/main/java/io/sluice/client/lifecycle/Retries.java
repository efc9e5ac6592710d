package io.sluice.client.lifecycle;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Partitions that rest because their next event could not be handled. Belongs to one thread. */
final class Retries {
    private static final Duration FIRST_REST = Duration.ofMillis(100);
    private static final Duration LONGEST_REST = Duration.ofSeconds(30);
    private static final int DOUBLINGS = 9;

    private final Map<TopicPartition, Rest> rests = new HashMap<>();

    private record Rest(long offset, int attempts, long untilNanos, boolean isOver) {}

    /** How often the event at this place was tried before. */
    int attemptsAt(TopicPartition partition, long offset) {
        var rest = rests.get(partition);
        return rest == null || rest.offset() != offset ? 0 : rest.attempts();
    }

    void failed(TopicPartition partition, long offset, long nowNanos) {
        int attempts = attemptsAt(partition, offset) + 1;
        long rest = FIRST_REST.toNanos() << Math.min(attempts - 1, DOUBLINGS);
        rests.put(partition, new Rest(offset, attempts, nowNanos + Math.min(rest, LONGEST_REST.toNanos()), false));
    }

    void succeeded(TopicPartition partition) {
        rests.remove(partition);
    }

    /** These went to another member. */
    void forget(Collection<TopicPartition> partitions) {
        rests.keySet().removeAll(partitions);
    }

    /** Those whose rest is over now; each is told once. */
    List<TopicPartition> due(long nowNanos) {
        var due = rests.entrySet().stream()
                .filter(rest ->
                        !rest.getValue().isOver() && nowNanos - rest.getValue().untilNanos() >= 0)
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(partition -> rests.computeIfPresent(
                partition, (key, rest) -> new Rest(rest.offset(), rest.attempts(), rest.untilNanos(), true)));
        return due;
    }
}
