package io.sluice.provider;

import java.time.Duration;
import java.util.Optional;

/**
 * Turns of instances that the caller names: for a host that has to act on one instance now, such as to end it, whatever
 * else waits. Thread-safe.
 */
public interface InstanceTurns {
    /**
     * Locks this instance if it has messages to take, whoever waits longer and whatever it runs: no filter is asked. It
     * does not wait. The turn is acked, abandoned and renewed as any other.
     *
     * <p>Cost: one query of the instance's partition, and one batch if there is something to take; a history that this
     * process does not remember is read at the same time.
     *
     * @return nothing when there are no messages to take, when they wait for the start of the instance, or when it is
     *     locked, by whomever
     * @throws ProviderException retryable when the store gave no answer in time; permanent when the instance id is over
     *     the service's limits, or the instance can't be read
     */
    Optional<LockedTurn> fetch(String instance, Duration lockTimeout);
}
