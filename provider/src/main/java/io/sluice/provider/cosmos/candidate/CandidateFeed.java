package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.slot.SlotRange;
import io.sluice.provider.cosmos.slot.SlotShare;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of one queue for the dispatchers of this process. One dispatcher at a time queries the store, for a
 * few candidates per waiting dispatcher; each candidate is handed to one dispatcher. A dispatcher that waits wakes when
 * this process adds work, and otherwise queries again at growing intervals. Thread-safe.
 */
public final class CandidateFeed<C extends Candidate> {
    private static final int PER_DISPATCHER = 4;
    private static final int LEAST = 16;
    private static final int MOST = 200;
    private static final int MOST_TIMERS = 10_000;
    private static final long LONG_TRY_MILLIS = 1_000;
    /** How long a wait whose time is over still waits for the query of another dispatcher. */
    private static final long SHARED_NANOS = Duration.ofMillis(100).toNanos();

    private final CandidateQuery<C> query;
    private final SlotShare slots;
    private final SlotLooks looks;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final LatestAnswer<C> answer;
    private final Offers<C> offers = new Offers<>();
    private final Exclusions<C> exclusions = new Exclusions<>();
    private final PriorityQueue<Long> dueMillis = new PriorityQueue<>();
    private final Pace pace;
    private int reading;
    private long askedAtNanos;
    private boolean wokenWhileReading;
    private boolean closed;
    private int waiting;

    /**
     * A feed of the candidates that this query finds.
     *
     * @param slots the slots that are searched first
     * @param nanoTime the monotonic clock, by which it rests and forgets
     */
    public CandidateFeed(CandidateQuery<C> query, SlotShare slots, InstantSource clock, LongSupplier nanoTime) {
        this.query = query;
        this.slots = slots;
        this.looks = new SlotLooks(clock, nanoTime);
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.pace = new Pace(nanoTime);
        this.answer = new LatestAnswer<>(nanoTime);
    }

    /** The wait of one fetch: it may take several candidates until one can be locked. Used by one thread. */
    public final class Wait {
        private final Call call;
        private final @Nullable String claimant;
        private final long startedNanos = nanoTime.getAsLong();
        private final long deadlineNanos;
        private final Set<String> passed = new HashSet<>();
        private long answeredAloneAt = -1;

        private Wait(Call call, Duration longest, @Nullable String claimant) {
            this.call = call;
            this.claimant = claimant;
            this.deadlineNanos = startedNanos + longest.toNanos();
        }

        /**
         * The next candidate, which no other dispatcher gets until {@link #giveBack}. Nothing once the time is over and
         * the store, queried at least once since the wait began, has no more. A candidate that this wait gave back does
         * not come again once the time is over; else the wait might never end.
         */
        public Optional<C> next() {
            return take(this);
        }

        /**
         * Whether the candidate was found by a query that was sent after this wait began, and so has all messages that
         * were visible then.
         */
        public boolean isFresh(C candidate) {
            return candidate.queriedAtNanos() - startedNanos >= 0;
        }

        /** Gives a candidate back; it may be found again from {@code excludedUntil} on (milliseconds; 0: at once). */
        public void giveBack(C candidate, long excludedUntil) {
            change(() -> {
                exclusions.giveBack(candidate);
                if (excludedUntil > clock.millis()) {
                    exclusions.exclude(candidate.key(), excludedUntil);
                    passed.add(candidate.key());
                }
                hurryForReleased();
            });
        }

        /**
         * Reserves a candidate for another claimant until {@code untilMillis}; after that any dispatcher may get it.
         */
        public void leaveTo(String other, C candidate, long untilMillis) {
            change(() -> exclusions.reserve(other, candidate, untilMillis));
        }

        private boolean isAnswered() {
            return answeredAloneAt == answer.generation() || answer.answers(startedNanos);
        }

        private boolean isThroughWith(String key) {
            return passed.contains(key) && isOver();
        }

        private boolean isOver() {
            return deadlineNanos - nanoTime.getAsLong() <= 0;
        }
    }

    /**
     * Until when a candidate is excluded after a try that failed with a retryable error: for as long as the try took,
     * so that a throttled partition takes at most half of a dispatcher's time. A short try excludes nothing.
     */
    public static long restAfter(long beganMillis, long nowMillis) {
        long took = nowMillis - beganMillis;
        return took < LONG_TRY_MILLIS ? 0 : nowMillis + took;
    }

    /** Begins the wait of one fetch. */
    public Wait begin(Call call, Duration longest) {
        return new Wait(call, longest, null);
    }

    /** Begins the wait of one fetch for a claimant, for whom other fetches may reserve candidates. */
    public Wait begin(Call call, Duration longest, String claimant) {
        return new Wait(call, longest, claimant);
    }

    /** Notes that another process locked a candidate first. */
    public void raceLost() {
        slots.raceLost();
    }

    /** Wakes the dispatchers: this process may have added work. */
    public void wake() {
        change(this::hurry);
    }

    /**
     * Hands work that this process has just added to a dispatcher that waits, without a query. This is done only where
     * it overtakes no older work: the last query left nothing over, and the next is not due. Work of a candidate that
     * is held or excluded is remembered until the candidate is {@link #release released}.
     *
     * @return false when no dispatcher may have it this way; then call {@link #wake}
     */
    public boolean offer(C candidate) {
        lock.lock();
        try {
            wakeForTimers();
            if (exclusions.isHeld(candidate.key())) {
                exclusions.remember(candidate.key());
                return true;
            }
            if (offers.has(candidate.key())) {
                return true;
            }
            boolean isWanted = offers.size() < waiting && answer.isEmpty();
            if (!isWanted || (reading == 0 && pace.isTimeToAsk())) {
                return false;
            }
            if (reading > 0) {
                offers.delay(candidate);
            } else {
                handOver(candidate);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void handOver(C candidate) {
        offers.ready().add(candidate);
        // Its result may make work for another dispatcher: query soon, as after a wake-up.
        pace.hurrySoon();
        changed.signalAll();
    }

    /** Hands over the candidates that were offered during a query, unless the query found older ones. */
    private void settleOffers() {
        List<C> delayed = offers.takeDelayed();
        if (answer.isEmpty()) {
            delayed.stream()
                    .filter(candidate -> !exclusions.isHeld(candidate.key()))
                    .forEach(this::handOver);
        } else if (!delayed.isEmpty()) {
            hurry();
        }
    }

    /** Wakes the dispatchers at this time, when a message of this process becomes visible. */
    public void wakeAt(long millis) {
        change(() -> {
            if (dueMillis.size() < MOST_TIMERS) {
                dueMillis.add(millis);
            }
        });
    }

    /** Excludes the key until this time. */
    public void exclude(String key, long untilMillis) {
        lock.lock();
        try {
            exclusions.exclude(key, untilMillis);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the exclusion of the key. */
    public void allow(String key) {
        lock.lock();
        try {
            exclusions.include(key);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the exclusion of a key that was held. Other processes may have added work for it meanwhile, so a query
     * follows soon.
     *
     * @return whether this process offered work for it meanwhile
     */
    public boolean release(String key) {
        lock.lock();
        try {
            exclusions.include(key);
            pace.hurrySoon();
            changed.signalAll();
            return exclusions.forget(key);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the exclusion of the key, and queries at once, since the candidates found before may be out of order. */
    public void include(String key) {
        change(() -> {
            exclusions.include(key);
            hurry();
        });
    }

    /**
     * Drops the candidates that were found and not handed out, since older work has become available again. No wait
     * ends by the query that found them.
     */
    public void restart() {
        change(() -> {
            answer.drop();
            offers.clear();
            hurry();
        });
    }

    /** Ends every wait, now and later: nothing is handed out any more. */
    public void close() {
        change(() -> closed = true);
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void hurry() {
        pace.hurry();
        wokenWhileReading = reading > 0;
    }

    private Optional<C> take(Wait wait) {
        lock.lock();
        waiting++;
        try {
            while (!closed) {
                Optional<C> found = exclusions
                        .takeReserved(wait.claimant)
                        .or(() -> firstFree(offers.ready(), wait))
                        .or(() -> firstFree(answer.candidates(), wait));
                if (found.isPresent()) {
                    return found;
                }
                wakeForTimers();
                boolean over = wait.isOver();
                if (over && wait.isAnswered()) {
                    return Optional.empty();
                }
                if (mayAsk(over)) {
                    ask(wait);
                } else {
                    rest(wait);
                }
            }
            return Optional.empty();
        } catch (InterruptedException e) {
            throw Failures.interrupted(wait.call, e);
        } finally {
            waiting--;
            withdrawOffers();
            lock.unlock();
        }
    }

    /** One dispatcher queries for all; but a wait whose time is over does not wait long for the query of another. */
    private boolean mayAsk(boolean over) {
        return reading == 0 ? over || pace.isTimeToAsk() : over && sharedNanosLeft() <= 0;
    }

    private long sharedNanosLeft() {
        return askedAtNanos + SHARED_NANOS - nanoTime.getAsLong();
    }

    /** Drops offers that outnumber the dispatchers that still wait; a query finds them. */
    private void withdrawOffers() {
        if (offers.ready().size() > waiting) {
            offers.ready().clear();
            hurry();
            changed.signalAll();
        }
    }

    private Optional<C> firstFree(Deque<C> candidates, Wait wait) {
        for (Iterator<C> all = candidates.iterator(); all.hasNext(); ) {
            C candidate = all.next();
            if (!wait.isThroughWith(candidate.key())) {
                all.remove();
                if (exclusions.tryHandOut(candidate)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    private void wakeForTimers() {
        long now = clock.millis();
        while (!dueMillis.isEmpty() && dueMillis.peek() <= now) {
            dueMillis.remove();
            hurry();
        }
        exclusions.expire(now);
        hurryForReleased();
    }

    /** Queries at once when a key was offered while it was held, and is held no longer. */
    private void hurryForReleased() {
        if (exclusions.forgetReleased()) {
            hurry();
        }
    }

    /** Queries the store, with the lock released meanwhile. */
    private void ask(Wait wait) {
        reading++;
        wokenWhileReading = false;
        int limit = Math.max(LEAST, Math.min(MOST, PER_DISPATCHER * waiting));
        Set<String> hidden = exclusions.keys();
        offers.ready().forEach(candidate -> hidden.add(candidate.key()));
        boolean isForAll = !wait.isOver() || !hidden.addAll(wait.passed);
        long sentAtNanos = nanoTime.getAsLong();
        askedAtNanos = sentAtNanos;
        Found<C> found = new Found<>(List.of(), false);
        lock.unlock();
        SlotScope scope = SlotScope.ALL;
        boolean answered = false;
        try {
            SlotRange own = slots.range(wait.call);
            scope = looks.next(own, wait.isOver(), wait.startedNanos);
            found = query.find(wait.call, limit, hidden, scope, sentAtNanos);
            if (scope.isAll()) {
                found = found.from(own);
            }
            looks.answered(scope, found.candidates().isEmpty(), sentAtNanos);
            answered = true;
        } finally {
            lock.lock();
            reading--;
            if (answered) {
                if (!isForAll && found.exhaustive() && scope.isAll()) {
                    wait.answeredAloneAt = answer.generation();
                }
                accept(found, sentAtNanos, isForAll && scope.isAll());
            } else {
                // Other dispatchers that wait query for themselves, after a rest.
                pace.restLonger();
            }
            if (reading == 0) {
                settleOffers();
            }
            changed.signalAll();
        }
    }

    private void accept(Found<C> found, long sentAtNanos, boolean isForAll) {
        if (!answer.tryAccept(found, sentAtNanos, isForAll)) {
            return;
        }
        if (!found.candidates().isEmpty()) {
            slots.workFound();
        }
        if (wokenWhileReading || !found.exhaustive() || looks.isAnotherDue()) {
            pace.hurry();
        } else if (found.candidates().isEmpty()) {
            pace.restLonger();
        } else {
            // All candidates are here; work that this process adds next is offered.
            pace.rest();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // take() is the loop
    private void rest(Wait wait) throws InterruptedException {
        long now = nanoTime.getAsLong();
        if (reading > 0) {
            changed.awaitNanos(wait.isOver() ? sharedNanosLeft() : wait.deadlineNanos - now);
            return;
        }
        long nanos = Math.min(pace.nanosLeft(), wait.deadlineNanos - now);
        Long due = dueMillis.peek();
        if (due != null) {
            nanos = Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(Math.max(1, due - clock.millis())));
        }
        changed.awaitNanos(nanos);
    }
}
