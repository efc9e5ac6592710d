package io.sluice.relay.dispatch;

import io.sluice.relay.dispatch.LookaheadQuery.Window;

/**
 * Up to when the work of a range was announced. Two times are kept: the feed announces what becomes visible until the
 * end of the latest window, from before the query for that window begins; records declare that end only when all that
 * the query found was taken. Otherwise a message would be missed that is written while the query runs. Thread-safe.
 */
final class Horizon {
    /** The store's times and the relay's differ by less. */
    private static final long ALLOWANCE_MILLIS = 5_000;

    /** How long a replica that answers a query may lack what the feed has shown. */
    static final long REPLICA_LAG_MILLIS = 15_000;

    private final long windowMillis;
    private long announcedUntil;
    private long declared;
    private long lookedUntil;
    private long lastLookAt;
    private long leftOutFrom = HeldActivities.NEVER;
    private boolean isWhole = true;
    private long droppedAt;

    /**
     * Nothing was announced yet.
     *
     * @param windowMillis how far a query sees ahead
     */
    Horizon(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** What the next query has to find. From here on the feed announces what becomes visible until its end. */
    synchronized Window beginLook(long now) {
        long until = now + windowMillis;
        announcedUntil = Math.max(announcedUntil, until);
        leftOutFrom = HeldActivities.NEVER;
        return lastLookAt == 0 ? Window.first(until) : new Window(lookedUntil, lastLookAt - ALLOWANCE_MILLIS, until);
    }

    /**
     * Work that the feed has shown was not announced: nothing is declared, until a query for all that is overdue was
     * taken which surely saw that work.
     *
     * @param at when the feed showed it
     */
    synchronized void drop(long at) {
        isWhole = false;
        droppedAt = Math.max(droppedAt, at);
        declared = 0;
        lastLookAt = 0;
    }

    /** Whether everything that the feed has shown was announced. */
    synchronized boolean isWhole() {
        return isWhole;
    }

    /**
     * All that a query found was taken. That declares nothing if work was dropped that the query may not have seen, or
     * was not to find as it is overdue.
     *
     * @param beganAt when the query began
     */
    synchronized void endLook(Window window, long beganAt) {
        if (!isWhole && (!window.isFirst() || beganAt < droppedAt + REPLICA_LAG_MILLIS)) {
            return;
        }
        isWhole = true;
        lastLookAt = beganAt;
        lookedUntil = Math.min(window.until(), leftOutFrom);
        declared = Math.max(declared, lookedUntil);
    }

    /** What is due from this time on was left out for lack of room: the next query begins there. */
    synchronized void leaveOut(long from) {
        leftOutFrom = Math.min(leftOutFrom, from);
        lookedUntil = Math.min(lookedUntil, from);
    }

    /** The feed announces what becomes visible before. */
    synchronized long announcedUntil() {
        return announcedUntil;
    }

    /**
     * What becomes visible before, or whose lock expires before, was announced; 0 before the end of the first query,
     * and after work was dropped.
     */
    synchronized long declared() {
        return declared;
    }

    /**
     * How long the next query may wait, with half of what was seen ahead left; after work was dropped, until the query
     * surely sees it.
     */
    synchronized long waitMillis(long now) {
        return Math.max(0, isWhole ? (lookedUntil - now) / 2 : droppedAt + REPLICA_LAG_MILLIS - now);
    }
}
