package io.sluice.relay.history;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishers of this replica, each on a thread of its own. Started and stopped by one thread; {@link #status} may
 * be called by any.
 */
final class RangePublishers {
    private static final Logger LOG = LoggerFactory.getLogger(RangePublishers.class);

    private final IntFunction<OwnRange> create;
    private final PipelineControl control;
    private final Duration drainTimeout;
    private final Map<Integer, OwnRange> running = new ConcurrentHashMap<>();

    /**
     * Runs no publisher yet.
     *
     * @param create makes what publishes a range
     * @param drainTimeout how long a stop waits for the pages under way
     */
    RangePublishers(IntFunction<OwnRange> create, PipelineControl control, Duration drainTimeout) {
        this.create = create;
        this.control = control;
        this.drainTimeout = drainTimeout;
    }

    List<RangeStatus> status() {
        return running.values().stream()
                .map(OwnRange::status)
                .sorted(Comparator.comparingInt(RangeStatus::range))
                .toList();
    }

    /** Whether a publisher was started for a range and not stopped. */
    boolean has(int range) {
        return running.containsKey(range);
    }

    /** Whether the publisher of a range has ended by itself; one that refused its position does not count. */
    boolean hasEnded(int range) {
        var publisher = running.get(range);
        return publisher != null && publisher.hasEnded();
    }

    void start(int range) {
        var before = running.remove(range);
        if (before != null) {
            before.stop();
        }
        // An earlier publisher of the range may have left an old heartbeat.
        control.beat(range);
        var fresh = create.apply(range);
        running.put(range, fresh);
        fresh.start();
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
        ranges.stream().map(running::get).filter(Objects::nonNull).forEach(OwnRange::stop);
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        for (int range : ranges) {
            var ended = running.remove(range);
            control.forget(range);
            if (ended != null && !ended.end(Duration.ofNanos(deadlineNanos - System.nanoTime()))) {
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
