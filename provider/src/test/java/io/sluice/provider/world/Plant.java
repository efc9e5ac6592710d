package io.sluice.provider.world;

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

    /** From which seed on it is looked for: not long before one that meets it. */
    long from() {
        return switch (this) {
            case ANNOUNCER_FORGETS -> 16;
            case TIMERS_UNANNOUNCED -> 46;
            case NONE, CONDITIONS_FORGOTTEN, OWN_CLOCKS, NO_RECEIPTS -> 1;
        };
    }

    /** Whether it can only be met where work is announced. */
    boolean isOfAnnouncements() {
        return switch (this) {
            case NONE, CONDITIONS_FORGOTTEN, OWN_CLOCKS, NO_RECEIPTS -> false;
            case ANNOUNCER_FORGETS, TIMERS_UNANNOUNCED -> true;
        };
    }
}
