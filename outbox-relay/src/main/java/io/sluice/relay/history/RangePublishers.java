package io.sluice.relay.history;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishers of this replica, each on a thread of its own. Started and stopped by one thread; {@link #status} may
 * be called by any.
 */
final class RangePublishers {
    private static final Logger LOG = LoggerFactory.getLogger(RangePublishers.class);

    private final Function<RangeId, OwnRange> create;
    private final PipelineControl control;
    private final Duration drainTimeout;
    private final Map<RangeId, OwnRange> running = new ConcurrentHashMap<>();

    /**
     * Runs no publisher yet.
     *
     * @param create makes what publishes a range
     * @param drainTimeout how long a stop waits for the pages under way
     */
    RangePublishers(Function<RangeId, OwnRange> create, PipelineControl control, Duration drainTimeout) {
        this.create = create;
        this.control = control;
        this.drainTimeout = drainTimeout;
    }

    List<RangeStatus> status() {
        return running.values().stream()
                .map(OwnRange::status)
                .sorted(Comparator.comparing(status -> status.range().min()))
                .toList();
    }

    /** Whether a publisher was started for a range and not stopped. */
    boolean has(RangeId range) {
        return running.containsKey(range);
    }

    /** Whether the publisher of a range has ended and may begin again. */
    boolean hasEnded(RangeId range) {
        var publisher = running.get(range);
        return publisher != null && publisher.hasEnded();
    }

    /** The ranges with a publisher that are not among these. */
    Set<RangeId> rangesOtherThan(Collection<RangeId> ranges) {
        var others = new HashSet<>(running.keySet());
        others.removeAll(Set.copyOf(ranges));
        return others;
    }

    /** The ranges with a publisher whose positions are in these partitions. */
    Set<RangeId> rangesIn(Set<Integer> partitions) {
        return running.keySet().stream()
                .filter(range -> partitions.contains(range.partition()))
                .collect(Collectors.toSet());
    }

    void start(RangeId range) {
        var before = running.remove(range);
        if (before != null) {
            before.stop();
        }
        // An earlier publisher of the range may have left an old heartbeat.
        control.beat(range.name());
        var fresh = create.apply(range);
        running.put(range, fresh);
        fresh.start();
    }

    /** Stops publishers and waits for their pages under way. */
    void stop(Set<RangeId> ranges) {
        stop(ranges, drainTimeout);
    }

    /** Stops publishers without a wait: the ranges have other owners, which fence them out. */
    void stopLost(Set<RangeId> ranges) {
        stop(ranges, Duration.ZERO);
    }

    private void stop(Set<RangeId> ranges, Duration timeout) {
        ranges.stream().map(running::get).filter(Objects::nonNull).forEach(OwnRange::stop);
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        for (var range : ranges) {
            var ended = running.remove(range);
            control.forget(range.name());
            if (ended != null && !ended.end(Duration.ofNanos(deadlineNanos - System.nanoTime()))) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.RANGE, range.name())
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
