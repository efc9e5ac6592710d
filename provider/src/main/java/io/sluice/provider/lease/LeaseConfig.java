package io.sluice.provider.lease;

import java.time.Duration;

/**
 * How long leases live.
 *
 * @param duration after which any party may take a lease that was not renewed; 1 s to 1 h
 * @param margin by how much the clocks of two parties may differ at most. A holder stops acting this long before its
 *     lease expires, so that it no longer acts when another party takes the lease; less than half the duration
 */
public record LeaseConfig(Duration duration, Duration margin) {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Leases of 60 s, safe between clocks that differ by up to 10 s. */
    public static final LeaseConfig DEFAULT = new LeaseConfig(Duration.ofSeconds(60), Duration.ofSeconds(10));

    /** Checks the ranges. */
    public LeaseConfig {
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("duration must be 1 s to 1 h, was " + duration);
        }
        if (margin.isNegative() || margin.multipliedBy(2).compareTo(duration) >= 0) {
            throw new IllegalArgumentException(
                    "margin must be at least 0 and less than half the duration of " + duration + ", was " + margin);
        }
    }

    /** Leases of this duration, with the margin in proportion to the default's. */
    public LeaseConfig withDuration(Duration changed) {
        return new LeaseConfig(changed, changed.dividedBy(6));
    }

    /** A lease taken now by this party. */
    Lease lease(String holder, long nowMillis) {
        return new Lease(holder, nowMillis, duration);
    }

    /** Until when the holder itself relies on a lease. */
    long safeUntil(Lease lease) {
        return lease.expiresAtMillis() - margin.toMillis();
    }
}
