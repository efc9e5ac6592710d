package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether relays announce the work of one store. Pulses of another are none: its relays may be well while nobody
 * announces this one's work. The time of a pulse is when it arrived, by this machine's monotonic clock: the clocks of
 * relays may differ. Thread-safe.
 */
final class PulseHealth {
    private static final Logger LOG = LoggerFactory.getLogger(PulseHealth.class);
    private static final long BETWEEN_LINES_NANOS = Duration.ofMinutes(1).toNanos();

    /** The end of the key space. */
    private static final String END = "FF";

    private static final Comparator<Range> BY_MIN = Comparator.comparing(Range::min);

    private final WorkStore store;
    private final String prefix;
    private final long timeoutNanos;
    private final long longestLagMillis;
    private final Map<Range, Heard> heard = new HashMap<>();
    private @Nullable Refused refused;
    private @Nullable Refused logged;

    PulseHealth(WorkStore store, FeedConfig config) {
        this.store = store;
        this.prefix = config.prefix();
        this.timeoutNanos = config.pulseTimeout().toNanos();
        this.longestLagMillis = config.longestLag().toMillis();
    }

    /** A pulse arrived. Ranges that have a part in common with it are gone: they were split. */
    synchronized void heard(Pulse pulse, long nowNanos) {
        WorkStore announced = pulse.store();
        if (announced.isSame(store)) {
            accept(pulse, nowNanos);
        } else {
            refuse(
                    "a relay with the topicPrefix " + prefix + " announces the work of " + announced
                            + ", and this process runs that of " + store
                            + ": give it the prefix of its own store's relay",
                    true,
                    nowNanos);
        }
    }

    private void refuse(String why, boolean isOfAnother, long nowNanos) {
        Refused now = new Refused(why, isOfAnother, nowNanos);
        Refused before = logged;
        if (before == null || (!why.equals(before.why) && nowNanos - before.nanos > BETWEEN_LINES_NANOS)) {
            logged = now;
            LOG.atWarn().addKeyValue("why", why).log("a pulse counts for nothing");
        }
        refused = now;
    }

    private void accept(Pulse pulse, long nowNanos) {
        Range range = new Range(pulse.min(), pulse.max());
        heard.keySet().removeIf(range::overlaps);
        heard.put(range, new Heard(nowNanos, pulse.lagMillis()));
    }

    /** Why relays can't be relied on; null while they can. */
    synchronized @Nullable String problem(long nowNanos) {
        if (heard.isEmpty()) {
            return silence("no pulse of a relay was heard", nowNanos);
        }
        String covered = "";
        for (Range range : heard.keySet().stream().sorted(BY_MIN).toList()) {
            Heard last = heard.get(range);
            if (last == null || nowNanos - last.nanos > timeoutNanos) {
                return silence("no relay sends pulses of range " + range.words(), nowNanos);
            }
            if (last.lagMillis > longestLagMillis) {
                return "range " + range.words() + " is " + last.lagMillis + " ms behind";
            }
            if (covered.compareTo(range.min) < 0) {
                return silence("no relay sends pulses of range " + new Range(covered, range.min).words(), nowNanos);
            }
            covered = range.max;
        }
        return covered.compareTo(END) < 0
                ? silence("no relay sends pulses of range " + new Range(covered, END).words(), nowNanos)
                : null;
    }

    /**
     * Whether all that is heard is of another store. Its announcements are of no use then, and what they say of
     * instances that this store has as well would be wrong.
     */
    synchronized boolean isOfAnother(long nowNanos) {
        Refused last = refused;
        return last != null
                && last.isOfAnother
                && nowNanos - last.nanos <= timeoutNanos
                && heard.values().stream().noneMatch(own -> nowNanos - own.nanos <= timeoutNanos);
    }

    /** Why no pulse counts: those that come may be of no use. */
    private String silence(String otherwise, long nowNanos) {
        Refused last = refused;
        return last == null || nowNanos - last.nanos > timeoutNanos ? otherwise : last.why;
    }

    /** A pulse that says nothing about this store. */
    private record Refused(String why, boolean isOfAnother, long nanos) {}

    /** A part of the key space. */
    private record Range(String min, String max) {
        private boolean overlaps(Range other) {
            return min.compareTo(other.max) < 0 && other.min.compareTo(max) < 0;
        }

        private String words() {
            return "[" + min + ", " + max + ")";
        }
    }

    /** The last pulse of a range. */
    private record Heard(long nanos, long lagMillis) {}
}
