package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Pulse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether relays announce. The time of a pulse is when it arrived, by this machine's monotonic clock: the clocks of
 * relays may differ. Thread-safe.
 */
final class PulseHealth {
    private final long timeoutNanos;
    private final long longestLagMillis;
    private final Map<Integer, Heard> heard = new HashMap<>();
    private int ranges;

    PulseHealth(Duration timeout, Duration longestLag) {
        this.timeoutNanos = timeout.toNanos();
        this.longestLagMillis = longestLag.toMillis();
    }

    /** A pulse arrived. The newest one says how many ranges there are; others are gone and don't matter. */
    synchronized void heard(Pulse pulse, long nowNanos) {
        ranges = pulse.ranges();
        heard.keySet().removeIf(range -> range >= ranges);
        heard.put(pulse.range(), new Heard(nowNanos, pulse.lagMillis()));
    }

    /** Why relays can't be relied on; null while they can. */
    synchronized @Nullable String problem(long nowNanos) {
        if (ranges == 0) {
            return "no pulse of a relay was heard";
        }
        for (int range = 0; range < ranges; range++) {
            Heard last = heard.get(range);
            if (last == null || nowNanos - last.nanos > timeoutNanos) {
                return "no relay sends pulses of range " + range;
            }
            if (last.lagMillis > longestLagMillis) {
                return "range " + range + " is " + last.lagMillis + " ms behind";
            }
        }
        return null;
    }

    /** The last pulse of a range. */
    private record Heard(long nanos, long lagMillis) {}
}
