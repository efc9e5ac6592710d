package io.sluice.provider.simulation;

/** A bug that is there on purpose: the simulation must find it. */
enum Plant {
    NONE,
    /** The store applies batches whatever their conditions. */
    CONDITIONS_FORGOTTEN,
    /** Machines go by their own clocks. */
    OWN_CLOCKS,
    /** The relay delivers without a receipt. */
    NO_RECEIPTS
}
