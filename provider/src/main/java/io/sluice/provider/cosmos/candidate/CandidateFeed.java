package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Failures;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The candidates of one queue for the dispatchers of this process. One dispatcher at a time queries the store, for a
 * few candidates per waiting dispatcher; each candidate is handed to one dispatcher. A dispatcher that waits wakes when
 * this process adds work, and otherwise queries again at growing intervals. Thread-safe.
 */
public final class CandidateFeed<C extends Candidate> {
    private static final long LONG_TRY_MILLIS = 1_000;

    private final SlotShare slots;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final CandidateSearch<C> search;
    private final Offers<C> offers = new Offers<>();
    private final Exclusions<C> exclusions = new Exclusions<>();
    private final DueTimes dueTimes = new DueTimes();
    private boolean closed;
    private int waiting;

    /**
     * A feed of the candidates that this query finds.
     *
     * @param slots the slots that are searched first
     * @param nanoTime the monotonic clock, by which it rests and forgets
     */
    public CandidateFeed(CandidateQuery<C> query, SlotShare slots, InstantSource clock, LongSupplier nanoTime) {
        this.slots = slots;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.search = new CandidateSearch<>(query, slots, clock, nanoTime, lock);
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
    public CandidateWait<C> begin(Call call, Duration longest) {
        return new CandidateWait<>(this, call, longest, null);
    }

    /** Begins the wait of one fetch for a claimant, for whom other fetches may reserve candidates. */
    public CandidateWait<C> begin(Call call, Duration longest, String claimant) {
        return new CandidateWait<>(this, call, longest, claimant);
    }

    /** Notes that another process locked a candidate first. */
    public void raceLost() {
        slots.raceLost();
    }

    /** Wakes the dispatchers: this process may have added work. */
    public void wake() {
        change(search::hurry);
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
            boolean isWanted = offers.size() < waiting && search.answer().isEmpty();
            if (!isWanted || search.isDue()) {
                return false;
            }
            if (search.isUnderWay()) {
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
        search.hurrySoon();
        changed.signalAll();
    }

    /** Hands over the candidates that were offered during a query, unless the query found older ones. */
    private void settleOffers() {
        List<C> delayed = offers.takeDelayed();
        if (search.answer().isEmpty()) {
            delayed.stream()
                    .filter(candidate -> !exclusions.isHeld(candidate.key()))
                    .forEach(this::handOver);
        } else if (!delayed.isEmpty()) {
            search.hurry();
        }
    }

    /** Wakes the dispatchers at this time, when a message of this process becomes visible. */
    public void wakeAt(long millis) {
        change(() -> dueTimes.add(millis));
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
            search.hurrySoon();
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
            search.hurry();
        });
    }

    /**
     * Drops the candidates that were found and not handed out, since older work has become available again. No wait
     * ends by the query that found them.
     */
    public void restart() {
        change(() -> {
            search.answer().drop();
            offers.clear();
            search.hurry();
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

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Takes a candidate back. Returns whether it is excluded now. */
    boolean giveBack(C candidate, long excludedUntil) {
        boolean isExcluded = excludedUntil > clock.millis();
        change(() -> {
            exclusions.giveBack(candidate);
            if (isExcluded) {
                exclusions.exclude(candidate.key(), excludedUntil);
            }
            hurryForReleased();
        });
        return isExcluded;
    }

    void reserve(String claimant, C candidate, long untilMillis) {
        change(() -> exclusions.reserve(claimant, candidate, untilMillis));
    }

    Optional<C> take(CandidateWait<C> wait) {
        lock.lock();
        waiting++;
        try {
            while (!closed) {
                Optional<C> found = exclusions
                        .takeReserved(wait.claimant())
                        .or(() -> exclusions.handOutFirst(offers.ready(), wait))
                        .or(() -> exclusions.handOutFirst(search.answer().candidates(), wait));
                if (found.isPresent()) {
                    return found;
                }
                wakeForTimers();
                boolean isOver = wait.isOver();
                if (isOver && search.hasAnswered(wait)) {
                    return Optional.empty();
                }
                if (search.mayAsk(isOver)) {
                    ask(wait);
                } else {
                    rest(wait);
                }
            }
            return Optional.empty();
        } catch (InterruptedException e) {
            throw Failures.interrupted(wait.call(), e);
        } finally {
            waiting--;
            withdrawOffers();
            lock.unlock();
        }
    }

    private void ask(CandidateWait<C> wait) {
        Set<String> hidden = exclusions.keys();
        offers.ready().forEach(candidate -> hidden.add(candidate.key()));
        try {
            search.ask(wait, hidden, waiting);
        } finally {
            if (!search.isUnderWay()) {
                settleOffers();
            }
            changed.signalAll();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // take() is the loop
    private void rest(CandidateWait<C> wait) throws InterruptedException {
        long nanos = search.nanosToRest(wait);
        Long due = dueTimes.first();
        if (due != null && !search.isUnderWay()) {
            nanos = Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(Math.max(1, due - clock.millis())));
        }
        changed.awaitNanos(nanos);
    }

    /** Drops offers that outnumber the dispatchers that still wait; a query finds them. */
    private void withdrawOffers() {
        if (offers.ready().size() > waiting) {
            offers.ready().clear();
            search.hurry();
            changed.signalAll();
        }
    }

    private void wakeForTimers() {
        long now = clock.millis();
        if (dueTimes.removePast(now)) {
            search.hurry();
        }
        exclusions.expire(now);
        hurryForReleased();
    }

    /** Queries at once when a key was offered while it was held, and is held no longer. */
    private void hurryForReleased() {
        if (exclusions.forgetReleased()) {
            search.hurry();
        }
    }
}
