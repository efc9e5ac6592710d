package io.sluice.relay.takeover;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.relay.feed.KeyRange;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;

/**
 * The replicas of a relay as their topic tells of them, in its order. Another one is silent when this replica has
 * pulsed for two seconds without a gap since the other's latest pulse. So neither clocks nor reading late nor Kafka
 * being away make a replica look silent: then nobody pulses. The protocol and its weaker variants are in
 * {@code docs/protocols/takeover.md}.
 *
 * <p>Belongs to one thread.
 */
final class Replicas {
    /** Between two pulses. */
    static final long INTERVAL_MILLIS = 500;

    private static final long SILENT_MILLIS = 4 * INTERVAL_MILLIS;
    private static final long GAP_MILLIS = 2 * INTERVAL_MILLIS;
    /** Ranges that nobody has taken by then are found by the sweeps of what is nobody's. */
    private static final long FORGOTTEN_MILLIS = 600_000;
    /** Many more than there are; who writes more has no right to. */
    private static final int MOST = 1_000;

    private final String own;
    private final Map<String, Other> others = new HashMap<>();
    private long ownMillis = Long.MIN_VALUE;
    private long pulses;

    /** Another replica, and how long it has not been heard. */
    private static final class Other {
        private List<KeyRange> ranges = List.of();
        /** The number of its first pulse that was heard. */
        private final long first;

        private long latest;
        /** By this replica's own pulses since the other's latest one. */
        private long silentMillis;
        /** The same, gaps included. */
        private long unheardMillis;

        private boolean isFollowed;

        private Other(long first) {
            this.first = first;
        }

        private void heard(List<KeyRange> newRanges, long pulse) {
            ranges = newRanges;
            latest = pulse;
            silentMillis = 0;
            unheardMillis = 0;
            isFollowed = false;
        }

        /** This replica has pulsed so long after its pulse before. */
        private void passed(long millis) {
            if (isFollowed) {
                silentMillis = millis > GAP_MILLIS ? 0 : silentMillis + Math.max(0, millis);
                unheardMillis += Math.max(0, millis);
            }
            isFollowed = true;
        }

        private boolean isForgotten() {
            return isSilent() && (ranges.isEmpty() || unheardMillis > FORGOTTEN_MILLIS);
        }

        private boolean isSilent() {
            return silentMillis >= SILENT_MILLIS;
        }
    }

    /** Has heard of nobody. */
    Replicas(String own) {
        this.own = own;
    }

    /**
     * Takes the next pulse of the topic.
     *
     * @param replica whose it is
     * @param atMillis the record's time
     */
    void hear(String replica, List<KeyRange> ranges, long atMillis) {
        pulses++;
        if (!replica.equals(own)) {
            if (others.containsKey(replica) || others.size() < MOST) {
                others.computeIfAbsent(replica, name -> new Other(pulses)).heard(ranges, pulses);
            }
            return;
        }
        long passed = ownMillis == Long.MIN_VALUE ? 0 : atMillis - ownMillis;
        ownMillis = atMillis;
        others.values().forEach(other -> other.passed(passed));
        others.values().removeIf(Other::isForgotten);
    }

    /**
     * The ranges of silent replicas that no other has taken, and that this one is to sweep: the first of those that
     * live and have heard of it, in an order of the range's own.
     *
     * @param ownRanges that this replica looks after
     */
    Set<KeyRange> orphans(Collection<KeyRange> ownRanges) {
        var orphans = new HashSet<KeyRange>();
        for (var silent : others.values()) {
            if (silent.isSilent()) {
                silent.ranges.stream()
                        .filter(range -> ownRanges.stream().noneMatch(range::overlaps))
                        .filter(range -> !isTaken(range))
                        .filter(range -> isSuccessor(range, silent))
                        .forEach(orphans::add);
            }
        }
        return orphans;
    }

    private boolean isTaken(KeyRange range) {
        return others.values().stream()
                .anyMatch(other -> !other.isSilent() && other.ranges.stream().anyMatch(range::overlaps));
    }

    /** Who has begun to pulse after the silent one's last pulse has heard none of it, and does not sweep for it. */
    private boolean isSuccessor(KeyRange range, Other silent) {
        var order = Comparator.comparingLong((String replica) -> rank(replica, range))
                .thenComparing(Comparator.naturalOrder());
        return others.entrySet().stream()
                .filter(other -> !other.getValue().isSilent() && other.getValue().first < silent.latest)
                .noneMatch(other -> order.compare(other.getKey(), own) < 0);
    }

    private static long rank(String replica, KeyRange range) {
        return Utils.toPositive(Utils.murmur2((replica + ' ' + range.min()).getBytes(UTF_8)));
    }
}
