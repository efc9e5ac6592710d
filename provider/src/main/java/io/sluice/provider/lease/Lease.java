package io.sluice.provider.lease;

import java.time.Duration;

/**
 * Somebody's exclusive hold on a document, until it expires or the holder breaks it.
 *
 * @param holder who has it
 * @param acquiredAtMillis when it was acquired or last renewed, on the holder's clock, taken before the request was sent
 * @param duration how long it lasts from then
 */
public record Lease(String holder, long acquiredAtMillis, Duration duration) {
    /** The moment from which it is anybody's to take. */
    public long expiresAtMillis() {
        return acquiredAtMillis + duration.toMillis();
    }

    /** Whether it keeps everybody else out. */
    public boolean isAlive(long nowMillis) {
        return nowMillis < expiresAtMillis();
    }

    /** Whether it keeps this party out. */
    boolean excludes(String other, long nowMillis) {
        return !holder.equals(other) && isAlive(nowMillis);
    }
}
