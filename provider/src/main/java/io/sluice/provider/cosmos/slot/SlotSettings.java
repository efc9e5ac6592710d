package io.sluice.provider.cosmos.slot;

import java.time.Duration;

/**
 * When slots are shared, and for how long a share lasts.
 *
 * @param racesToJoin how many lost races within {@code window} show that sharing pays; 0 shares from the first look on
 * @param window in which they count
 * @param lease for how long a share lasts unless renewed; also for how long one without work, or alone, goes on to
 *     renew
 * @param heartbeat the longest time between two renewals; after a change in the group they come sooner
 */
public record SlotSettings(int racesToJoin, Duration window, Duration lease, Duration heartbeat) {
    /** Three lost races within 10 s; shares of 60 s, renewed every 20 s. */
    public static final SlotSettings DEFAULT =
            new SlotSettings(3, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(20));

    /** No sharing: everybody looks at everything. */
    public static final SlotSettings OFF =
            new SlotSettings(Integer.MAX_VALUE, DEFAULT.window(), DEFAULT.lease(), DEFAULT.heartbeat());

    /** The first renewal after a change in the group; then twice as long each time. */
    long shortestRestMillis() {
        return heartbeat.toMillis() / 10;
    }

    /** How old the known members may be; the rest of the lease allows for clocks that differ. */
    long trustedMillis() {
        return lease.toMillis() - lease.toMillis() / 6;
    }

    /** With the first look instead of after lost races. */
    public SlotSettings atOnce() {
        return new SlotSettings(0, window, lease, heartbeat);
    }
}
