package io.sluice.relay.history;

/** Asks the consumer group which replica owns a key range. */
@FunctionalInterface
interface RangeOwnership {
    /** The group's answer. */
    enum Owner {
        US,
        ANOTHER,
        /** The group is rebalancing or out of reach. */
        UNKNOWN
    }

    Owner askOwner(RangeId range) throws InterruptedException;
}
