package io.sluice.provider.contract;

import java.time.Duration;

/**
 * A store to hold to the contract: where the suites get empty ones from, and what they need to know of it. Thread-safe.
 */
public interface ContractStores {
    /** A new store, empty and apart from all others. The suite closes it. */
    ContractStore open();

    /** What the table of scenarios calls LT: 1 to 5 seconds, and at least several round trips. */
    default Duration lockTimeout() {
        return Duration.ofSeconds(5);
    }

    /** How long a fetch that need not wait may take on an empty store. */
    default Duration pollThreshold() {
        return Duration.ofMillis(100);
    }

    /** Whether a fetch waits for work until its poll timeout is over; false for a store that always answers at once. */
    boolean pollsLong();
}
