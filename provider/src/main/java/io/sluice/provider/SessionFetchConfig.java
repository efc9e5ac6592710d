package io.sluice.provider;

import java.time.Duration;
import java.util.Objects;

/**
 * How a worker claims sessions while it fetches.
 *
 * @param ownerId who claims
 * @param lockTimeout how long a claim lives without renewal
 */
public record SessionFetchConfig(String ownerId, Duration lockTimeout) {
    public SessionFetchConfig {
        Objects.requireNonNull(ownerId, "ownerId");
        Objects.requireNonNull(lockTimeout, "lockTimeout");
    }
}
