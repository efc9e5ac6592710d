package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * When the store is searched: often while nothing is announced, else as a precaution and after a loss. Its times are of
 * a monotonic clock.
 */
final class SearchPlan {
    /** What was lost has shown itself by then. */
    private static final long LONGEST_HORIZON_MILLIS = KnownWork.LONGEST_HORIZON.toMillis();
    /** For each request of a search that is a precaution. */
    private static final long PRECAUTION_EACH_MILLIS = Duration.ofMinutes(2).toMillis();
    /** After a search that is a precaution, and that not all physical partitions answered. */
    private static final long PARTIAL_MILLIS = Duration.ofSeconds(30).toMillis();
    /** How long a fetch whose time is over waits for the search of another before it searches for itself. */
    private static final long SHARED_MILLIS = 100;
    /** How long after its answer what a search found is the oldest there is. */
    private static final long FRESH_MILLIS = 500;

    private final WorkLimits limits;
    /** By their numbers, which are their places among all that happened. */
    private final Set<Long> underWay = new HashSet<>();

    private boolean isHealthy;
    private boolean isWantedAgain;
    private long sentMillis = Long.MIN_VALUE;
    private long answeredMillis = Long.MIN_VALUE;
    private long sent;
    private long lastAnswered;
    private long lastWhole;
    private long lastExhaustive;
    private long nextMillis = Long.MAX_VALUE;
    private long afterLossMillis = Long.MAX_VALUE;
    private long incompleteUntilMillis = Long.MIN_VALUE;
    private long restMillis;

    SearchPlan(WorkLimits limits) {
        this.limits = limits;
        this.restMillis = limits.firstRestMillis();
    }

    /** Whether what is there, or comes, is announced. */
    boolean isHealthy() {
        return isHealthy;
    }

    /** Each change brings a search: nobody may have told what came in between. */
    void setHealthy(boolean healthy, long nowMillis) {
        if (isHealthy != healthy) {
            isHealthy = healthy;
            hurry(nowMillis);
        }
    }

    /** Announcements were lost: a search now, and one when all that was near by then has shown itself. */
    void lost(long nowMillis) {
        hurry(nowMillis);
        incompleteUntilMillis = nowMillis + LONGEST_HORIZON_MILLIS;
        afterLossMillis = incompleteUntilMillis;
    }

    /** Whether announcements tell of all that an instance has. */
    boolean isComplete(long nowMillis) {
        return nowMillis >= incompleteUntilMillis;
    }

    /** There may be work that nobody announces. */
    void hurry(long nowMillis) {
        wantOne(nowMillis);
        restMillis = limits.firstRestMillis();
    }

    /** A fetch must not end without a search. That there is more work than before it does not say: rests stay. */
    void wantOne(long nowMillis) {
        nextMillis = Math.min(nextMillis, nowMillis);
        isWantedAgain = !underWay.isEmpty();
    }

    /** There may be such work soon. */
    void hurrySoon(long nowMillis) {
        if (!isHealthy) {
            nextMillis = Math.min(nextMillis, nowMillis + limits.firstRestMillis());
            restMillis = limits.firstRestMillis();
        }
    }

    /** @param isPressed whether it is for a fetch whose time is over, which does not wait long for another's */
    boolean isDue(boolean isPressed, long nowMillis) {
        return underWay.isEmpty() ? next() <= nowMillis : isPressed && nextPressed() <= nowMillis;
    }

    /**
     * Whether a search that is due comes before what is at hand: that may be younger than what nobody told of.
     *
     * @param isFoundLeft whether what the last search found is at hand
     */
    boolean comesFirst(boolean isFoundLeft, long nowMillis) {
        boolean isLate = isHealthy
                ? nowMillis - next() >= limits.longestRestMillis()
                : !isFoundLeft || nowMillis - answeredMillis >= FRESH_MILLIS;
        return isLate && isDue(false, nowMillis);
    }

    /** When a search is due, if none is under way. */
    long next() {
        return underWay.isEmpty() ? Math.min(nextMillis, afterLossMillis) : Long.MAX_VALUE;
    }

    /** When a fetch whose time is over may search beside the search that is under way. */
    long nextPressed() {
        return underWay.isEmpty() ? next() : sentMillis + SHARED_MILLIS;
    }

    /** Whether one that was sent since then is under way. */
    boolean isUnderWaySince(long place) {
        return !underWay.isEmpty() && sent >= place;
    }

    /** Whether this one is under way. */
    boolean isUnderWay(long search) {
        return underWay.contains(search);
    }

    /** A search is sent. */
    void begin(long search, long nowMillis) {
        underWay.add(search);
        isWantedAgain = false;
        sent = search;
        sentMillis = nowMillis;
        if (afterLossMillis <= nowMillis) {
            afterLossMillis = Long.MAX_VALUE;
        }
    }

    /** @param hasNews whether it found what was not known */
    void answered(long search, boolean hasNews, WorkFound.Extent extent, long nowMillis) {
        end(search);
        if (extent.isWhole()) {
            lastWhole = Math.max(lastWhole, search);
        }
        if (search < lastAnswered) {
            return;
        }
        lastAnswered = search;
        answeredMillis = nowMillis;
        if (extent.isWhole() && extent.isExhaustive()) {
            lastExhaustive = search;
        }
        if (isWantedAgain || extent.isAnotherDue() || (hasNews && !extent.isExhaustive())) {
            nextMillis = nowMillis;
        } else if (isHealthy && extent.isExhaustive()) {
            nextMillis = nowMillis + precautionMillis(extent.requests(), nowMillis);
        } else if (isHealthy && extent.isPartial()) {
            // Announcements tell of what is there, if it can be read; asking all again would cost as much as each time.
            nextMillis = nowMillis + PARTIAL_MILLIS;
        } else {
            rest(!hasNews, nowMillis);
        }
    }

    /** Rare where it costs much, and spread, so that processes that started together don't search together. */
    private long precautionMillis(int requests, long nowMillis) {
        long least = Math.max(limits.precautionMillis(), PRECAUTION_EACH_MILLIS * requests);
        return least + Math.floorMod(nowMillis, least / 4);
    }

    void failed(long search, long nowMillis) {
        end(search);
        rest(true, nowMillis);
    }

    private void end(long search) {
        if (!underWay.remove(search)) {
            throw new IllegalStateException("no such search is under way: " + search);
        }
    }

    private void rest(boolean isLonger, long nowMillis) {
        long first = limits.firstRestMillis();
        nextMillis = nowMillis + (isLonger ? restMillis : first);
        restMillis = isLonger ? Math.min(limits.longestRestMillis(), 2 * restMillis) : first;
    }

    /** What was found may be no better than what was tried: nobody's fetch ends by it, and a search follows. */
    void restart(long nowMillis) {
        lastWhole = 0;
        lastAnswered = 0;
        hurry(nowMillis);
    }

    /** Whether a search of everything that was sent since then has been answered. */
    boolean hasAnsweredSince(long place) {
        return lastWhole >= place;
    }

    /** Whether one was, be it that it did not search everything. */
    boolean hasAnsweredAnySince(long place) {
        return lastAnswered >= place;
    }

    /** The place of the search that last found all there was. */
    long lastExhaustive() {
        return lastExhaustive;
    }
}
