package io.sluice.durabletask.history;

/**
 * Names under which a host stores, as external events, what the provider has no kind for: they begin with {@code dt:}.
 * An event that somebody raises under such a name is stored under another one, so that a name says whose event it is:
 * readers of the history need not read the field {@code dt}.
 */
final class OwnNames {
    private static final String PREFIX = "dt:";
    private static final String RAISED = "dt:raised:";

    private OwnNames() {}

    /** Whether it is one of these names. */
    static boolean contain(String stored) {
        return stored.startsWith(PREFIX) && !stored.startsWith(RAISED);
    }

    /** Under which name a raised event is stored. */
    static String raised(String name) {
        return name.startsWith(PREFIX) ? RAISED + name : name;
    }

    /** Under which name an event was raised, from the name that it is stored under. */
    static String asRaised(String stored) {
        return stored.startsWith(RAISED) ? stored.substring(RAISED.length()) : stored;
    }
}
