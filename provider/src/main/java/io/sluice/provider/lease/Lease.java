package io.sluice.provider.lease;

import java.time.Duration;

/**
 * A party's exclusive hold on a document, until it expires or the party breaks it.
 *
 * @param holder the party
 * @param acquiredAtMillis when it was acquired or last renewed, on the holder's clock, taken before the request was
 *     sent
 * @param duration how long it lasts from then
 */
public record Lease(String holder, long acquiredAtMillis, Duration duration) {
    /** The moment from which any party may take it. */
    public long expiresAtMillis() {
        return acquiredAtMillis + duration.toMillis();
    }

    /** Whether it is alive. */
    public boolean isAlive(long nowMillis) {
        return nowMillis < expiresAtMillis();
    }

    /** Whether another party holds it, and it is alive. */
    boolean excludes(String other, long nowMillis) {
        return !holder.equals(other) && isAlive(nowMillis);
    }
}
