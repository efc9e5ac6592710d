package io.sluice.relay.watch;

import io.sluice.relay.ops.FailureReason;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.Loop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
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
    /** Up to where there is nothing that the group could take. */
    private final Map<Integer, Long> passedOver = new HashMap<>();

    private volatile Look latest = new Look(Double.NaN, Duration.ZERO);

    /** Asks where a group and its topic are. */
    @FunctionalInterface
    public interface Offsets {
        /** By partition. */
        Map<Integer, Offset> now() throws ExecutionException, TimeoutException, InterruptedException;

        /**
         * Finds the first record that can be taken of a partition, from an offset on and before its end; the end when there is none, empty when that can't be told.
         * Records of aborted transactions and the markers that end transactions can't be taken: a group passes over them, and notes that only with the next record.
         */
        default OptionalLong firstRecord(int partition, long from, long end) {
            return OptionalLong.empty();
        }
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

    /**
     * A partition of which something seems to wait.
     *
     * @param isRecord whether a record is known to lie where the group is
     */
    private record Waiting(long taken, long sinceMillis, boolean isRecord) {}

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
            LOG.atDebug().addKeyValue(LogKeys.REASON, FailureReason.of(e)).log("can't tell how far a group is behind");
            latest = new Look(Double.NaN, standing());
        }
        return INTERVAL;
    }

    private void take(Map<Integer, Offset> now) {
        waiting.keySet().retainAll(now.keySet());
        passedOver.keySet().retainAll(now.keySet());
        double records = 0;
        for (var each : now.entrySet()) {
            var offset = withoutUnreadable(each.getKey(), each.getValue());
            records += offset.waiting();
            var before = waiting.get(each.getKey());
            if (offset.waiting() == 0) {
                waiting.remove(each.getKey());
            } else if (before == null || before.taken() != offset.taken()) {
                waiting.put(each.getKey(), new Waiting(offset.taken(), clock.millis(), false));
            }
        }
        latest = new Look(records, standing());
    }

    /** Only a group that has taken nothing since the look before may have nothing to take; once a record is found, it is that which waits. */
    private Offset withoutUnreadable(int partition, Offset offset) {
        long from = Math.min(offset.end(), Math.max(offset.taken(), passedOver.getOrDefault(partition, 0L)));
        var before = waiting.get(partition);
        if (from < offset.end() && before != null && before.taken() == from && !before.isRecord()) {
            var first = offsets.firstRecord(partition, from, offset.end());
            if (first.isPresent()) {
                waiting.put(partition, new Waiting(from, before.sinceMillis(), true));
                passedOver.put(partition, first.getAsLong());
                from = first.getAsLong();
            }
        }
        return new Offset(from, offset.end());
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
