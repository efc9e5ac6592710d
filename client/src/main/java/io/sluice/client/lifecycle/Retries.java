package io.sluice.client.lifecycle;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Partitions that are paused because their next event could not be handled. Used by one thread. */
final class Retries {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int DOUBLINGS = 9;

    private final Map<TopicPartition, Pause> pauses = new HashMap<>();

    private record Pause(long offset, int attempts, long untilNanos, boolean isOver) {}

    /** How often the event at this offset was tried before. */
    int attemptsAt(TopicPartition partition, long offset) {
        var pause = pauses.get(partition);
        return pause == null || pause.offset() != offset ? 0 : pause.attempts();
    }

    void failed(TopicPartition partition, long offset, long nowNanos) {
        int attempts = attemptsAt(partition, offset) + 1;
        long nanos = FIRST_PAUSE.toNanos() << Math.min(attempts - 1, DOUBLINGS);
        pauses.put(partition, new Pause(offset, attempts, nowNanos + Math.min(nanos, LONGEST_PAUSE.toNanos()), false));
    }

    void succeeded(TopicPartition partition) {
        pauses.remove(partition);
    }

    /** Forgets partitions that went to another member. */
    void forget(Collection<TopicPartition> partitions) {
        pauses.keySet().removeAll(partitions);
    }

    /** Partitions whose pause is over now; each is returned once. */
    List<TopicPartition> due(long nowNanos) {
        var due = pauses.entrySet().stream()
                .filter(pause -> !pause.getValue().isOver()
                        && nowNanos - pause.getValue().untilNanos() >= 0)
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(partition -> pauses.computeIfPresent(
                partition, (key, pause) -> new Pause(pause.offset(), pause.attempts(), pause.untilNanos(), true)));
        return due;
    }
}
