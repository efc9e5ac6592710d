package io.sluice.relay.watch;

import io.sluice.program.FailureReason;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.history.RangeState;
import io.sluice.relay.history.RangeStatus;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import io.sluice.relay.metrics.RelayMeters.Lag;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures every few seconds how far the ranges of this replica are behind. A range whose latest page was empty costs
 * no request; for others the store counts the events that are newer than the newest published one. A lag that can't be
 * measured is unknown, never 0.
 */
public final class LagMonitor implements AutoCloseable {
    /** Between two measurements. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(LagMonitor.class);
    private static final Duration KEPT = Duration.ofHours(1);

    private final Supplier<List<RangeStatus>> ranges;
    private final Backlog backlog;
    private final Consumer<List<Lag>> listener;
    private final InstantSource clock;
    private final Loop loop;
    private final RingBuffer<Sample> samples = new RingBuffer<>((int) KEPT.dividedBy(INTERVAL));
    private volatile List<Lag> latest = List.of();

    /** Counts the events of a range that were written after a second of the store's time. */
    @FunctionalInterface
    public interface Backlog {
        long newerThan(long seconds, KeyRange range);
    }

    /**
     * One measurement of all ranges of this replica.
     *
     * @param atMillis when
     * @param events over all of them, NaN when one of them is unknown
     * @param seconds the longest of them, NaN when one of them is unknown
     */
    public record Sample(long atMillis, double events, double seconds) {}

    /**
     * Measures nothing yet.
     *
     * @param ranges the ranges of this replica
     * @param listener gets every measurement
     */
    public LagMonitor(
            Supplier<List<RangeStatus>> ranges,
            Backlog backlog,
            Consumer<List<Lag>> listener,
            InstantSource clock,
            Duration drainTimeout) {
        this.ranges = ranges;
        this.backlog = backlog;
        this.listener = listener;
        this.clock = clock;
        this.loop = new Loop("sluice-lag", this::step, drainTimeout);
    }

    /** Measures once, and then after every interval. */
    public void start() {
        loop.start();
    }

    Duration step() {
        var now = ranges.get().stream().map(this::lag).toList();
        latest = now;
        listener.accept(now);
        samples.add(new Sample(
                clock.millis(),
                now.stream().mapToDouble(Lag::events).sum(),
                now.stream().mapToDouble(Lag::seconds).reduce(0, Math::max)));
        return INTERVAL;
    }

    private Lag lag(RangeStatus range) {
        if (range.idle() && range.state() == RangeState.PUBLISHING) {
            return new Lag(range.range(), 0, 0);
        }
        if (range.newestSeconds() == 0) {
            return unknown(range);
        }
        try {
            long events = backlog.newerThan(range.newestSeconds(), range.range());
            long age = Math.max(0, clock.millis() / 1_000 - range.newestSeconds());
            return new Lag(range.range(), events, events == 0 ? 0 : age);
        } catch (RuntimeException e) {
            LOG.atDebug()
                    .addKeyValue(LogKeys.RANGE, range.range().name())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("can't measure how far a key range is behind");
            return unknown(range);
        }
    }

    private static Lag unknown(RangeStatus range) {
        return new Lag(range.range(), Double.NaN, Double.NaN);
    }

    /** The latest measurement of a range; empty before the first. */
    public Optional<Lag> of(KeyRange range) {
        return latest.stream().filter(lag -> lag.range().equals(range)).findFirst();
    }

    /** The measurements of the last hour, oldest first. */
    public List<Sample> samples() {
        return samples.all();
    }

    @Override
    public void close() {
        loop.close();
    }
}
