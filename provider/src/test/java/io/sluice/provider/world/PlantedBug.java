package io.sluice.provider.world;

/** A bug that is planted in the store, the machines, the relay or the announcer: the simulation must find it. */
enum PlantedBug {
    NONE(1),
    /** The store applies batches whatever their conditions. */
    CONDITIONS_FORGOTTEN(1),
    /** Machines go by their own clocks. */
    OWN_CLOCKS(1),
    /** The relay delivers without a receipt. */
    NO_RECEIPTS(1),
    /** The announcer forgets some of what it announces, and tells nobody. */
    ANNOUNCER_FORGETS(27),
    /** It announces no message that is not visible yet, and says that what it announces is all. */
    TIMERS_UNANNOUNCED(39);

    private final long from;

    PlantedBug(long from) {
        this.from = from;
    }

    /** From which seed on it is looked for: not long before one that meets it. */
    long from() {
        return from;
    }

    /** Whether it can only be met where work is announced. */
    boolean isOfAnnouncements() {
        return this == ANNOUNCER_FORGETS || this == TIMERS_UNANNOUNCED;
    }
}
