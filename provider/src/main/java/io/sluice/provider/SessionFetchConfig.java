package io.sluice.provider;

import io.sluice.provider.json.Surrogates;
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
        Surrogates.refuse("ownerId", Objects.requireNonNull(ownerId, "ownerId"));
        Objects.requireNonNull(lockTimeout, "lockTimeout");
    }
}
