package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The wait of one fetch: it may take several candidates until one can be locked. Used by one thread. */
public final class CandidateWait<C extends Candidate> {
    private static final long GRACE_NANOS = Duration.ofMillis(200).toNanos();

    private final CandidateFeed<C> feed;
    private final Call call;
    private final @Nullable String claimant;
    private final long startedNanos;
    private final long deadlineNanos;
    private final Set<String> passed = new HashSet<>();
    private long answeredAloneAt = -1;

    CandidateWait(CandidateFeed<C> feed, Call call, Duration longest, @Nullable String claimant) {
        this.feed = feed;
        this.call = call;
        this.claimant = claimant;
        this.startedNanos = feed.nanoTime();
        this.deadlineNanos = startedNanos + longest.toNanos();
    }

    /**
     * The next candidate, which no other dispatcher gets until {@link #giveBack}. Nothing once the time is over and the
     * store, queried at least once since the wait began, has no more. A candidate that this wait gave back does not
     * come again once the time is over; else the wait might never end.
     */
    public Optional<C> next() {
        return feed.take(this);
    }

    /**
     * Whether the candidate was found by a query that was sent after this wait began, and so has all messages that were
     * visible then.
     */
    public boolean isFresh(C candidate) {
        return candidate.queriedAtNanos() - startedNanos >= 0;
    }

    /** Gives a candidate back; it may be found again from {@code excludedUntil} on (milliseconds; 0: at once). */
    public void giveBack(C candidate, long excludedUntil, TryOutcome outcome) {
        if (feed.giveBack(candidate, excludedUntil, outcome)) {
            passed.add(candidate.key());
        }
    }

    /** Reserves a candidate for another claimant until {@code untilMillis}; after that any dispatcher may get it. */
    public void leaveTo(String other, C candidate, long untilMillis, TryOutcome outcome) {
        feed.reserve(other, candidate, untilMillis, outcome);
    }

    Call call() {
        return call;
    }

    /** For whom other fetches may have reserved candidates. */
    @Nullable
    String claimant() {
        return claimant;
    }

    long startedNanos() {
        return startedNanos;
    }

    boolean isOver() {
        return nanosLeft() <= 0;
    }

    /**
     * Whether it lasts so much longer than it was to that it ends without a further try: of what is announced much may
     * be gone, as after a process was away. The next fetch goes on.
     */
    boolean isLongOver() {
        return nanosLeft() < -GRACE_NANOS;
    }

    long nanosLeft() {
        return deadlineNanos - feed.nanoTime();
    }

    /** Whether it gave the candidate of this key back, and may not get it again. */
    boolean isThroughWith(String key) {
        return passed.contains(key) && isOver();
    }

    /** The keys of the candidates that it gave back. */
    Set<String> passed() {
        return passed;
    }

    /** Notes that a query for this wait alone has searched everything else. */
    void answeredAlone(long generation) {
        answeredAloneAt = generation;
    }

    boolean isAnsweredAlone(long generation) {
        return answeredAloneAt == generation;
    }
}
