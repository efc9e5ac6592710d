package io.sluice.provider.cosmos.work.index;

import java.util.OptionalLong;

/**
 * Workers of one filter who always have activities of their own also take what other processes wrote, which may be
 * older: after many own ones one announced activity comes first, if there is any. While the workers come often it is
 * asked for at once, since one of them takes it next. Where each is busy for long, nothing that somebody else could
 * run waits for them: the first of them who comes asks, and waits for a moment.
 */
final class OthersTurn {
    private static final int MOST_OWN_IN_A_ROW = 100;
    /** Workers who took something a longer time ago may not come soon. */
    private static final long SOON_MILLIS = 1_000;
    /** What waits at a broker comes within this. */
    private static final long AWAITED_MILLIS = 200;

    private int ownInARow;
    private boolean isAsked;
    private long askedUntilMillis;
    private OptionalLong awaiting = OptionalLong.empty();

    /** A worker tries an activity that this process wrote. */
    void ownTaken(long nowMillis) {
        ownInARow++;
        if (isDue()) {
            askUntil(nowMillis + SOON_MILLIS);
        }
    }

    private void askUntil(long untilMillis) {
        isAsked = true;
        askedUntilMillis = untilMillis;
    }

    /** A worker tries something else, or has waited for that in vain. */
    void end() {
        ownInARow = 0;
        isAsked = false;
        awaiting = OptionalLong.empty();
    }

    /** Whether what was announced comes first. */
    boolean isDue() {
        return ownInARow >= MOST_OWN_IN_A_ROW;
    }

    /** Whether one is asked for, and kept. */
    boolean isAsked(long nowMillis) {
        return isAsked && nowMillis < askedUntilMillis;
    }

    /** Returns whether the fetch, which would take an own one, waits for an announced one. */
    boolean await(long fetch, long nowMillis) {
        if (isDue() && awaiting.isEmpty() && !isAsked(nowMillis)) {
            awaiting = OptionalLong.of(fetch);
            askUntil(nowMillis + AWAITED_MILLIS);
        }
        return isAwaitedBy(fetch) && isAsked(nowMillis);
    }

    /** The fetch waits no more. */
    void leave(long fetch) {
        if (isAwaitedBy(fetch)) {
            end();
        }
    }

    private boolean isAwaitedBy(long fetch) {
        return awaiting.isPresent() && awaiting.getAsLong() == fetch;
    }

    /** Ends what has lasted long enough. Returns the fetch that has waited in vain, if there is one. */
    OptionalLong advance(long nowMillis) {
        if (nowMillis < askedUntilMillis) {
            return OptionalLong.empty();
        }
        isAsked = false;
        OptionalLong inVain = awaiting;
        inVain.ifPresent(fetch -> end());
        return inVain;
    }

    /** When something changes by itself; {@link Long#MAX_VALUE} for never. */
    long next() {
        return isAsked ? askedUntilMillis : Long.MAX_VALUE;
    }
}
