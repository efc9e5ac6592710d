package io.sluice.relay.watch;

import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.Loop;
import io.sluice.relay.ops.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out every few seconds how far a consumer group is behind, over all replicas, and for how long it has taken nothing of what waits. Asked of Kafka by a client of its own: a consumer that hangs
 * on a broker does not know itself that it is behind. What can't be told is unknown, never 0. Thread-safe.
 */
public final class GroupLag implements AutoCloseable {
    /** How often it looks. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(GroupLag.class);

    private final Offsets offsets;
    private final InstantSource clock;
    private final Loop loop;
    private final Map<Integer, Waiting> waiting = new HashMap<>();
    private volatile Look latest = new Look(Double.NaN, Duration.ZERO);

    /** Asks where a group and its topic are. */
    @FunctionalInterface
    public interface Offsets {
        /** By partition. */
        Map<Integer, Offset> now() throws ExecutionException, TimeoutException, InterruptedException;
    }

    /**
     * A partition.
     *
     * @param taken offset up to which the group has taken it
     * @param end of what is committed in it
     */
    public record Offset(long taken, long end) {
        private long waiting() {
            return Math.max(0, end - taken);
        }
    }

    /**
     * What was found.
     *
     * @param records that wait, over all partitions; NaN when that is unknown
     * @param standing for how long nothing was taken of the partition that has waited longest; zero when none waits
     */
    public record Look(double records, Duration standing) {}

    private record Waiting(long taken, long sinceMillis) {}

    /**
     * Looks at nothing yet.
     *
     * @param name of its thread
     */
    public GroupLag(String name, Offsets offsets, InstantSource clock, Duration drainTimeout) {
        this.offsets = offsets;
        this.clock = clock;
        this.loop = new Loop(name, this::step, drainTimeout);
    }

    /** Looks once, and then after every rest. */
    public void start() {
        loop.start();
    }

    Duration step() throws InterruptedException {
        try {
            take(offsets.now());
        } catch (ExecutionException | TimeoutException e) {
            LOG.atDebug().addKeyValue(LogKeys.REASON, Reason.of(e)).log("can't tell how far a group is behind");
            latest = new Look(Double.NaN, standing());
        }
        return INTERVAL;
    }

    private void take(Map<Integer, Offset> now) {
        waiting.keySet().retainAll(now.keySet());
        now.forEach((partition, offset) -> {
            var before = waiting.get(partition);
            if (offset.waiting() == 0) {
                waiting.remove(partition);
            } else if (before == null || before.taken() != offset.taken()) {
                waiting.put(partition, new Waiting(offset.taken(), clock.millis()));
            }
        });
        latest = new Look(now.values().stream().mapToDouble(Offset::waiting).sum(), standing());
    }

    private Duration standing() {
        long oldest =
                waiting.values().stream().mapToLong(Waiting::sinceMillis).min().orElse(clock.millis());
        return Duration.ofMillis(Math.max(0, clock.millis() - oldest));
    }

    /** What the latest look showed; unknown before the first. */
    public Look latest() {
        return latest;
    }

    @Override
    public void close() {
        loop.close();
    }
}
