package io.sluice.provider.simulation;

/** A bug that is there on purpose: the simulation must find it. */
enum Plant {
    NONE,
    /** The store applies batches whatever their conditions. */
    CONDITIONS_FORGOTTEN,
    /** Machines go by their own clocks. */
    OWN_CLOCKS,
    /** The relay delivers without a receipt. */
    NO_RECEIPTS,
    /** The announcer forgets some of what it announces, and tells nobody. */
    ANNOUNCER_FORGETS,
    /** It announces no message that is not visible yet, and says that what it announces is all. */
    TIMERS_UNANNOUNCED;

    /** Whether it can only be met where work is announced. */
    boolean isOfAnnouncements() {
        return switch (this) {
            case NONE, CONDITIONS_FORGOTTEN, OWN_CLOCKS, NO_RECEIPTS -> false;
            case ANNOUNCER_FORGETS, TIMERS_UNANNOUNCED -> true;
        };
    }
}
