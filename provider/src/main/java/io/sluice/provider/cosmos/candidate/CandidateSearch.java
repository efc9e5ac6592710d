package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.slot.SlotRange;
import io.sluice.provider.cosmos.slot.SlotShare;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Queries the store for candidates, for all dispatchers that wait, at a pace that follows what is found, and keeps the
 * latest answer. Guarded by its owner's lock, which it releases while a query is under way.
 */
final class CandidateSearch<C extends Candidate> {
    private static final int PER_DISPATCHER = 4;
    private static final int LEAST = 16;
    private static final int MOST = 200;
    private static final Duration SHORTEST_PRECAUTION = Duration.ofMinutes(5);
    /** A query is one request to each key range: however many there are, they make half a request a minute. */
    private static final Duration PRECAUTION_EACH = Duration.ofMinutes(2);
    /** How long a wait whose time is over still waits for the query of another dispatcher. */
    private static final long SHARED_NANOS = Duration.ofMillis(100).toNanos();

    private final CandidateQuery<C> query;
    private final SlotShare slots;
    private final LongSupplier nanoTime;
    private final Guard guard;
    private final SlotLooks looks;
    private final LatestAnswer<C> answer;
    private final Pace pace;
    private final DueTimes dueTimes = new DueTimes();
    private final InstantSource clock;
    private BooleanSupplier isAnnounced = () -> false;
    private IntSupplier requestsEach = () -> 1;
    private int underWay;
    private long askedAtNanos;
    private boolean hurriedMeanwhile;

    CandidateSearch(CandidateQuery<C> query, SlotShare slots, InstantSource clock, SearchTiming timing, Guard guard) {
        this.query = query;
        this.slots = slots;
        this.nanoTime = timing.nanoTime();
        this.guard = guard;
        this.clock = clock;
        this.looks = new SlotLooks(clock, nanoTime);
        this.answer = new LatestAnswer<>(nanoTime);
        this.pace = new Pace(nanoTime, timing.rests());
    }

    /** What the latest query found. */
    LatestAnswer<C> answer() {
        return answer;
    }

    boolean isUnderWay() {
        return underWay > 0;
    }

    /** Whether the next query is due, and none is under way. */
    boolean isDue() {
        return underWay == 0 && pace.isTimeToAsk();
    }

    /**
     * Work is announced from now on, while this says so, and queries are a precaution.
     *
     * @param requests how many requests a query is
     */
    void announcedWhile(BooleanSupplier announced, IntSupplier requests) {
        this.isAnnounced = announced;
        this.requestsEach = requests;
    }

    /** One dispatcher queries for all; but a wait whose time is over does not wait long for the query of another. */
    boolean mayAsk(boolean isOver) {
        return isUnderWay() ? isOver && sharedNanosLeft() <= 0 : isOver || pace.isTimeToAsk();
    }

    /** How long a dispatcher that may not ask has to wait at most. */
    long nanosToRest(CandidateWait<C> wait) {
        if (isUnderWay()) {
            return wait.isOver() ? sharedNanosLeft() : wait.nanosLeft();
        }
        return Math.min(nanosUntilDue(), Math.min(pace.nanosLeft(), wait.nanosLeft()));
    }

    private long nanosUntilDue() {
        Long due = dueTimes.first();
        return due == null ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(Math.max(1, due - clock.millis()));
    }

    /** Lets a query follow at this time (milliseconds). */
    void hurryAt(long millis) {
        dueTimes.add(millis);
    }

    /** Lets the next query follow at once if one was wanted at a time that has come. */
    void hurryIfDue() {
        if (dueTimes.removePast(clock.millis())) {
            hurryAnyway();
        }
    }

    /** Whether a wait may end when no candidates are left. */
    boolean hasAnswered(CandidateWait<C> wait) {
        return wait.isAnsweredAlone(answer.generation()) || answer.answers(wait.startedNanos());
    }

    /** Whether work is announced now. */
    boolean isAnnounced() {
        return isAnnounced.getAsBoolean();
    }

    /** Lets the next query follow at once, unless work is announced: there may be work now. */
    void hurry() {
        if (!isAnnounced()) {
            hurryAnyway();
        }
    }

    /** Lets the next query follow at once: there may be work that nobody announces. */
    void hurryAnyway() {
        pace.hurry();
        hurriedMeanwhile = isUnderWay();
    }

    /** Lets the next query follow soon, unless work is announced: there may be work soon. */
    void hurrySoon() {
        if (!isAnnounced()) {
            pace.hurrySoon();
        }
    }

    /**
     * Queries the store.
     *
     * @param hidden keys of candidates that are not wanted; the search adds those that this wait gave back
     * @param waiting how many dispatchers wait
     */
    void ask(CandidateWait<C> wait, Set<String> hidden, int waiting) {
        int limit = Math.max(LEAST, Math.min(MOST, PER_DISPATCHER * waiting));
        boolean isForAll = !wait.isOver() || !hidden.addAll(wait.passed());
        long sentAtNanos = nanoTime.getAsLong();
        underWay++;
        hurriedMeanwhile = false;
        askedAtNanos = sentAtNanos;
        Found<C> found = new Found<>(List.of(), false);
        SlotScope scope = SlotScope.ALL;
        boolean isAnswered = false;
        guard.unlock();
        try {
            // The fleet shares work by its announcements, not by slots.
            SlotRange own = isAnnounced() ? SlotRange.ALL : slots.range(wait.call());
            scope = looks.next(own, wait.isOver(), wait.startedNanos());
            found = query.find(wait.call(), limit, hidden, scope, sentAtNanos);
            if (scope.isAll()) {
                found = found.from(own);
            }
            looks.answered(scope, found.candidates().isEmpty(), sentAtNanos);
            isAnswered = true;
        } finally {
            guard.lock();
            underWay--;
            if (isAnswered) {
                if (!isForAll && found.exhaustive() && scope.isAll()) {
                    wait.answeredAlone(answer.generation());
                }
                accept(found, sentAtNanos, isForAll && scope.isAll());
            } else {
                // Other dispatchers that wait query for themselves, after a rest.
                pace.restLonger();
            }
        }
    }

    private void accept(Found<C> found, long sentAtNanos, boolean isForAll) {
        if (!answer.tryAccept(found, sentAtNanos, isForAll)) {
            return;
        }
        if (!found.candidates().isEmpty()) {
            slots.workFound();
        }
        if (hurriedMeanwhile || !found.exhaustive() || looks.isAnotherDue()) {
            pace.hurry();
        } else if (isAnnounced()) {
            pace.restFor(precaution());
        } else if (found.candidates().isEmpty()) {
            pace.restLonger();
        } else {
            // All candidates are here; work that this process adds next is offered.
            pace.rest();
        }
    }

    /** Spread out, so that processes that started together do not query together. */
    private Duration precaution() {
        Duration rest = PRECAUTION_EACH.multipliedBy(requestsEach.getAsInt());
        Duration least = rest.compareTo(SHORTEST_PRECAUTION) < 0 ? SHORTEST_PRECAUTION : rest;
        return least.plusNanos(Math.floorMod(nanoTime.getAsLong(), least.toNanos() / 4));
    }

    private long sharedNanosLeft() {
        return askedAtNanos + SHARED_NANOS - nanoTime.getAsLong();
    }
}
