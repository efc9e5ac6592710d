package io.sluice.relay.watch;

import io.sluice.program.FailureReason;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Measures every few seconds how far a consumer group is behind, over all replicas, and for how long it has taken none
 * of the waiting records. It uses a separate client: a consumer that hangs on a broker does not know that it is behind.
 * What can't be measured is unknown, never 0, and so is a measurement that is older than {@link #LONGEST_GAP}. Time for
 * which nothing was known of a partition does not count as time in which nothing was taken of it: while Kafka does not
 * answer, no group can take anything. Thread-safe.
 */
public final class GroupLag implements AutoCloseable {
    /** Between two measurements. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /** After this time a measurement says nothing any more. A measurement takes some seconds itself. */
    static final Duration LONGEST_GAP = INTERVAL.multipliedBy(3);

    private static final Logger LOG = LoggerFactory.getLogger(GroupLag.class);

    private final String name;
    private final Offsets offsets;
    private final InstantSource clock;
    private final Loop loop;
    private final Map<Integer, Waiting> waiting = new HashMap<>();
    /** Up to these offsets there is no record that the group could take. */
    private final Map<Integer, Long> passedOver = new HashMap<>();

    /** Belongs to the loop. */
    private boolean failing;

    private volatile Sample latest = new Sample(Measurement.UNKNOWN, 0);

    /** Asks for the offsets of a group and its topic. */
    @FunctionalInterface
    public interface Offsets {
        /** Of all partitions of the topic. */
        Answer now() throws ExecutionException, TimeoutException, InterruptedException;

        /**
         * Finds the first record of a partition between two offsets; the end when there is none, empty when that can't
         * be found out. Records of aborted transactions and transaction markers do not count: a group skips them, and
         * commits that only with the next record.
         */
        default OptionalLong firstRecord(int partition, long from, long end) {
            return OptionalLong.empty();
        }
    }

    /**
     * What Kafka answered.
     *
     * @param known offsets by partition
     * @param unknown partitions of which no broker tells the offsets, such as those without a leader
     */
    public record Answer(Map<Integer, Offset> known, Set<Integer> unknown) {
        private boolean hasPartition(Integer partition) {
            return known.containsKey(partition) || unknown.contains(partition);
        }
    }

    /**
     * The offsets of a partition.
     *
     * @param taken offset up to which the group has taken it
     * @param end offset after the last committed record
     */
    public record Offset(long taken, long end) {
        private long waiting() {
            return Math.max(0, end - taken);
        }
    }

    /**
     * A measurement.
     *
     * @param records that wait, over all partitions; NaN when that is unknown of one of them
     * @param standing for how long no record was taken of the partition that has waited longest, of those that are
     *     known; zero when none of them waits, null when none is known
     */
    public record Measurement(double records, @Nullable Duration standing) {
        /** While Kafka can't be asked. */
        public static final Measurement UNKNOWN = new Measurement(Double.NaN, null);

        /** The time in seconds for which no record was taken; NaN when that is unknown. */
        public double standingSeconds() {
            return standing == null ? Double.NaN : standing.toSeconds();
        }
    }

    private record Sample(Measurement measurement, long atMillis) {}

    /**
     * A partition that seems to have waiting records.
     *
     * @param isRecord whether there is certainly a record at the offset of the group
     */
    private record Waiting(long taken, long sinceMillis, boolean isRecord) {
        private Waiting laterBy(long millis) {
            return new Waiting(taken, sinceMillis + millis, isRecord);
        }
    }

    /**
     * Measures nothing yet.
     *
     * @param name of its thread
     */
    public GroupLag(String name, Offsets offsets, InstantSource clock, Duration drainTimeout) {
        this.name = name;
        this.offsets = offsets;
        this.clock = clock;
        this.loop = new Loop(name, this::step, drainTimeout);
    }

    /** Measures once, and then after every interval. */
    public void start() {
        loop.start();
    }

    Duration step() throws InterruptedException {
        try {
            take(offsets.now());
            succeeded();
        } catch (InterruptException e) {
            throw e;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            latest = new Sample(Measurement.UNKNOWN, latest.atMillis());
            failed(e);
        }
        return INTERVAL;
    }

    private void succeeded() {
        if (failing) {
            LOG.atInfo().addKeyValue(LogKeys.LOOP, name).log("how far a consumer group is behind is known again");
        }
        failing = false;
    }

    private void failed(Exception e) {
        LOG.atLevel(failing ? Level.DEBUG : Level.WARN)
                .addKeyValue(LogKeys.LOOP, name)
                .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                .log("can't measure how far a consumer group is behind, that is unknown until Kafka answers");
        failing = true;
    }

    private void take(Answer now) {
        leaveOutUnknownTime(now.unknown());
        waiting.keySet().removeIf(partition -> !now.hasPartition(partition));
        passedOver.keySet().removeIf(partition -> !now.hasPartition(partition));
        double records = now.unknown().isEmpty() ? 0 : Double.NaN;
        for (var each : now.known().entrySet()) {
            var offset = withoutUnreadable(each.getKey(), each.getValue());
            records += offset.waiting();
            var before = waiting.get(each.getKey());
            if (offset.waiting() == 0) {
                waiting.remove(each.getKey());
            } else if (before == null || before.taken() != offset.taken()) {
                waiting.put(each.getKey(), new Waiting(offset.taken(), clock.millis(), false));
            }
        }
        latest = new Sample(new Measurement(records, standing(now.known().keySet())), clock.millis());
    }

    private void leaveOutUnknownTime(Set<Integer> unknown) {
        long sinceMillis = clock.millis() - latest.atMillis();
        boolean allUnknown = failing || sinceMillis > LONGEST_GAP.toMillis();
        waiting.replaceAll((partition, before) ->
                allUnknown || unknown.contains(partition) ? before.laterBy(sinceMillis) : before);
    }

    /**
     * Searches for a record only if the group has taken none since the previous measurement. Once a record is found, it
     * is the one that waits.
     */
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

    private @Nullable Duration standing(Set<Integer> known) {
        if (known.isEmpty()) {
            return null;
        }
        long oldest = waiting.entrySet().stream()
                .filter(each -> known.contains(each.getKey()))
                .mapToLong(each -> each.getValue().sinceMillis())
                .min()
                .orElse(clock.millis());
        return Duration.ofMillis(Math.max(0, clock.millis() - oldest));
    }

    /** The latest measurement; unknown before the first, while Kafka can't be asked, and when it is old. */
    public Measurement latest() {
        var now = latest;
        return clock.millis() - now.atMillis() > LONGEST_GAP.toMillis() ? Measurement.UNKNOWN : now.measurement();
    }

    @Override
    public void close() {
        loop.close();
    }
}
