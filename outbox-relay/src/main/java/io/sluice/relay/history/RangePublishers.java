package io.sluice.relay.history;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishers of this replica, each on a thread of its own. Started and stopped by one thread; {@link #status} and
 * {@link #behindFor} may be called by any.
 */
final class RangePublishers {
    private static final Logger LOG = LoggerFactory.getLogger(RangePublishers.class);

    private final IntFunction<RangePublisher> create;
    private final PipelineControl control;
    private final Duration drainTimeout;
    private final Map<Integer, Running> running = new ConcurrentHashMap<>();

    private record Running(RangePublisher publisher, Thread thread) {}

    /**
     * Runs no publisher yet.
     *
     * @param create makes the publisher of a range
     * @param drainTimeout how long a stop waits for the pages under way
     */
    RangePublishers(IntFunction<RangePublisher> create, PipelineControl control, Duration drainTimeout) {
        this.create = create;
        this.control = control;
        this.drainTimeout = drainTimeout;
    }

    List<RangeStatus> status() {
        return running.values().stream()
                .map(range -> range.publisher().status())
                .sorted(Comparator.comparingInt(RangeStatus::range))
                .toList();
    }

    /** The ranges whose publishers have read no new change for longer than this, for any reason. */
    List<Integer> behindFor(Duration time) {
        return running.entrySet().stream()
                .filter(range -> range.getValue().publisher().isBehind(time))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Whether a publisher was started for a range and not stopped. */
    boolean has(int range) {
        return running.containsKey(range);
    }

    /** Whether the publisher of a range has ended by itself; one that refused its position does not count. */
    boolean hasEnded(int range) {
        var publisher = running.get(range);
        return publisher != null
                && !publisher.thread().isAlive()
                && publisher.publisher().status().state() != RangeState.REFUSED;
    }

    void start(int range) {
        var publisher = create.apply(range);
        // An earlier publisher of the range may have left an old heartbeat.
        control.beat(range);
        var thread = new Thread(publisher, "sluice-history-" + range);
        thread.setDaemon(true);
        running.put(range, new Running(publisher, thread));
        thread.start();
    }

    /** Stops publishers and waits for their pages under way. */
    void stop(Set<Integer> ranges) {
        stop(ranges, drainTimeout);
    }

    /** Stops publishers without a wait: the ranges have other owners, which fence them out. */
    void stopLost(Set<Integer> ranges) {
        stop(ranges, Duration.ZERO);
    }

    private void stop(Set<Integer> ranges, Duration timeout) {
        running.forEach((range, publishing) -> {
            if (ranges.contains(range)) {
                publishing.publisher().stop();
            }
        });
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        for (int range : ranges) {
            var ended = running.remove(range);
            control.forget(range);
            if (ended != null && !Threads.join(ended.thread(), Duration.ofNanos(deadlineNanos - System.nanoTime()))) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.RANGE, range)
                        .log(
                                "the publisher of a range still commits though the range was given away; the next owner fences it out");
            }
        }
    }

    /** Stops all publishers and waits for their pages under way. */
    void stopAll() {
        stop(Set.copyOf(running.keySet()));
    }
}
