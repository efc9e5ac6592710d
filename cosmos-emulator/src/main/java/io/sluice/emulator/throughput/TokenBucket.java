package io.sluice.emulator.throughput;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The request units of one physical partition: a token bucket that fills at the provisioned rate and holds at most one
 * second's worth. A request is served while any are left, whatever it costs; later requests wait until a deficit is
 * made up. Thread-safe.
 */
public final class TokenBucket {
    private static final double MILLIS_PER_SECOND = 1000;

    private double left;
    private @Nullable Instant filledAt;

    /**
     * How long until a request may be served.
     *
     * @param perSecond request units that come in
     * @return milliseconds, 0 for now
     */
    public synchronized long waitMillis(double perSecond, Instant now) {
        var last = filledAt;
        double income = last == null
                ? perSecond
                : Math.max(0, Duration.between(last, now).toNanos() / 1e9) * perSecond;
        left = Math.min(perSecond, left + income);
        filledAt = now;
        return left > 0 ? 0 : 1 + (long) (-left / perSecond * MILLIS_PER_SECOND);
    }

    /** Spends request units. */
    public synchronized void spend(double requestUnits) {
        left -= requestUnits;
    }
}
