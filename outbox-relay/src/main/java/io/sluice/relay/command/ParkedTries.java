package io.sluice.relay.command;

import io.sluice.relay.command.parked.SickParts;
import io.sluice.relay.loop.RetryBackoff;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * Tries parked commands again, a few instances at once and on threads of their own. Of a part of the store that does
 * not answer one instance is tried at a time: when that is answered, all others of the part are due. Belongs to the
 * consumer's thread.
 */
final class ParkedTries {
    /** So many instances wait for the threads at most, so that these do not wait for the next step. */
    private static final int MOST_UNDER_WAY = 64;

    private static final Duration HANGING = Duration.ofSeconds(30);

    private final CommandWorkers workers;
    private final RetryBackoff backoff;
    private final SickParts sick;

    ParkedTries(CommandWorkers workers, RetryBackoff backoff, SickParts sick) {
        this.workers = workers;
        this.backoff = backoff;
        this.sick = sick;
    }

    /** Notes the results of tries that have ended. */
    void collect(Collection<ParkedQueue> queues) {
        long now = System.nanoTime();
        for (var queue : queues) {
            var lane = queue.underWay();
            if (lane == null || !lane.done().isDone()) {
                continue;
            }
            if (!lane.isBegun()) {
                queue.ended();
            } else if (lane.firstOpen() == null) {
                queue.succeeded(now);
                answered(queues, queue.instance());
            } else {
                queue.failed(now + backoff.after(queue.failures() + 1).toNanos());
                sick.failed(queue.instance());
            }
        }
        endWaiting(queues);
    }

    /** What still waits for a thread has no use once its part does not answer. */
    private void endWaiting(Collection<ParkedQueue> queues) {
        for (var queue : queues) {
            var lane = queue.underWay();
            if (lane != null && !lane.isBegun() && sick.isSick(queue.instance())) {
                lane.end();
            }
        }
    }

    /** The store answered for an instance. */
    void answered(Collection<ParkedQueue> queues, String instance) {
        if (sick.answered(instance)) {
            var part = sick.partOf(instance);
            long now = System.nanoTime();
            queues.stream()
                    .filter(queue -> sick.partOf(queue.instance()).equals(part))
                    .forEach(queue -> queue.wake(now));
        }
    }

    /** The store did not take a command of an instance. */
    void failed(String instance) {
        sick.failed(instance);
    }

    /** Whether another instance of the same part was tried in vain since its latest answer. */
    boolean isSuspect(String instance) {
        return sick.isSuspect(instance);
    }

    /** Whether the part of the store that holds an instance does not answer. */
    boolean isSick(String instance) {
        return sick.isSick(instance);
    }

    /**
     * Begins tries that are due, as far as there are threads for them.
     *
     * @param prepare is called with each lane before it begins
     */
    void start(Collection<ParkedQueue> queues, ToLongFunction<TopicPartition> floors, Consumer<Lane> prepare) {
        long now = System.nanoTime();
        Set<Object> parts = new HashSet<>();
        int free = MOST_UNDER_WAY;
        for (var queue : queues) {
            if (queue.underWay() != null) {
                parts.add(sick.partOf(queue.instance()));
                free--;
            }
        }
        var due = queues.stream()
                .filter(queue -> queue.isDue(now))
                .sorted(Comparator.comparingInt(ParkedQueue::failures)
                        .thenComparing(ParkedQueue::nextNanos, (a, b) -> Long.signum(a - b)))
                .toList();
        for (var queue : due) {
            boolean isFirst = parts.add(sick.partOf(queue.instance()));
            if (free > 0 && (isFirst || !sick.isSick(queue.instance()))) {
                free--;
                var open = queue.open();
                long floor = open.stream()
                        .mapToLong(entry -> floors.applyAsLong(entry.partition()))
                        .max()
                        .orElse(0);
                var lane = new Lane(open, floor, false);
                prepare.accept(lane);
                queue.setUnderWay(lane);
                workers.tryParked(lane);
            }
        }
    }

    /** Whether a request has been under way for so long that its thread is lost. */
    static boolean isHanging(Collection<ParkedQueue> queues) {
        return queues.stream().anyMatch(queue -> {
            var lane = queue.underWay();
            return lane != null && lane.age().compareTo(HANGING) > 0;
        });
    }
}
