package io.sluice.provider.cosmos.work;

import java.time.Duration;

/** When the store is searched: often while nothing is announced, else as a precaution and after a loss. */
final class SearchPlan {
    /** No relay looks further ahead: what was lost of it has shown itself by then. */
    static final long LONGEST_HORIZON_MILLIS = Duration.ofMinutes(2).toMillis();

    private final WorkLimits limits;
    private boolean isHealthy;
    private boolean isUnderWay;
    private boolean isWantedAgain;
    private long sentMillis = Long.MIN_VALUE;
    private long answeredSentMillis = Long.MIN_VALUE;
    private long exhaustedMillis = Long.MIN_VALUE;
    private long nextMillis = Long.MIN_VALUE;
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
        nextMillis = Math.min(nextMillis, nowMillis);
        isWantedAgain = isUnderWay;
        restMillis = limits.firstRestMillis();
    }

    boolean isDue(long nowMillis) {
        return !isUnderWay && next() <= nowMillis;
    }

    /** When a search is due, if none is under way. */
    long next() {
        return isUnderWay ? Long.MAX_VALUE : Math.min(nextMillis, afterLossMillis);
    }

    void begin(long nowMillis) {
        isUnderWay = true;
        isWantedAgain = false;
        sentMillis = nowMillis;
        if (afterLossMillis <= nowMillis) {
            afterLossMillis = Long.MAX_VALUE;
        }
    }

    /** @param hasNews whether it found what was not known */
    void answered(boolean hasNews, boolean isExhaustive, long nowMillis) {
        isUnderWay = false;
        answeredSentMillis = sentMillis;
        if (isExhaustive) {
            exhaustedMillis = nowMillis;
        }
        if (isWantedAgain || (hasNews && !isExhaustive)) {
            nextMillis = nowMillis;
        } else if (isHealthy && isExhaustive) {
            nextMillis = nowMillis + limits.precautionMillis();
        } else {
            rest(!hasNews, nowMillis);
        }
    }

    void failed(long nowMillis) {
        isUnderWay = false;
        rest(true, nowMillis);
    }

    private void rest(boolean isLonger, long nowMillis) {
        restMillis = isLonger ? Math.min(limits.longestRestMillis(), 2 * restMillis) : limits.firstRestMillis();
        nextMillis = nowMillis + restMillis;
    }

    /** Whether a search that was sent since then has been answered. */
    boolean hasAnsweredSince(long millis) {
        return answeredSentMillis >= millis;
    }

    /** When a search last found all there was. */
    long exhaustedMillis() {
        return exhaustedMillis;
    }
}
