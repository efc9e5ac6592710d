package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Failures;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
    private final Guard guard = new Guard();
    private final FreeWorkers workers;
    private final CandidateSearch<C> search;
    private final Exclusions<C> exclusions = new Exclusions<>();
    private final Offers<C> offers;
    private final OwnWork<C> own;
    private final Announcements<C> announcements;
    private final AnnouncedFeed<C> announced;
    private boolean closed;

    /**
     * A feed of the candidates that this query finds, and of those that are announced.
     *
     * @param slots the slots that are searched first
     * @param source where announcements come from
     * @param timing when the store is queried
     */
    public static <C extends Candidate> CandidateFeed<C> open(
            CandidateQuery<C> query, SlotShare slots, WorkSource<C> source, InstantSource clock, SearchTiming timing) {
        var opened = new CandidateFeed<>(query, slots, source, clock, timing);
        if (source.feed() != null) {
            opened.announced.listenTo(source.feed(), source);
        }
        return opened;
    }

    private CandidateFeed(
            CandidateQuery<C> query, SlotShare slots, WorkSource<C> source, InstantSource clock, SearchTiming timing) {
        this.slots = slots;
        this.clock = clock;
        this.nanoTime = timing.nanoTime();
        this.workers = new FreeWorkers(clock);
        this.search = new CandidateSearch<>(query, slots, clock, timing, guard);
        this.offers = new Offers<>(search, exclusions, workers);
        this.own = new OwnWork<>(exclusions, clock);
        this.announcements = new Announcements<>(source.queue(), source.maker(), workers, clock);
        this.announced = new AnnouncedFeed<>(guard, search, offers, own, announcements);
    }

    /** What is announced to this feed. */
    public AnnouncedFeed<C> announced() {
        return announced;
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
        guard.change(own::drop);
    }

    /** Wakes the dispatchers: this process may have added work. */
    public void wake() {
        guard.change(search::hurry);
    }

    /**
     * Hands work that this process has just added to a dispatcher that waits, without a query. This is done only where
     * it overtakes no older work: the last query left nothing over, and the next is not due. Work of a candidate that
     * is held or excluded is remembered until the candidate is {@link #release released}.
     *
     * @return false when no dispatcher may have it this way; then call {@link #wake}
     */
    public boolean offer(C candidate) {
        return guard.change(() -> {
            wakeForTimers();
            return offers.offer(candidate);
        });
    }

    /** Wakes the dispatchers at this time, when work of this process becomes visible that is not announced. */
    public void wakeAt(long millis) {
        guard.change(() -> search.hurryAt(millis));
    }

    /** Excludes the key until this time. */
    public void exclude(String key, long untilMillis) {
        guard.change(() -> exclusions.exclude(key, untilMillis));
    }

    /** Ends the exclusion of the key. */
    public void allow(String key) {
        guard.change(() -> exclusions.include(key));
    }

    /**
     * Ends the exclusion of a key that was held. Other processes may have added work for it meanwhile, so a query
     * follows soon.
     *
     * @return whether this process offered work for it meanwhile
     */
    public boolean release(String key) {
        return guard.change(() -> {
            exclusions.include(key);
            announcements.released(key);
            search.hurrySoon();
            return exclusions.forget(key);
        });
    }

    /** Ends the exclusion of a candidate that was locked, and that keeps its old place in the order. */
    public void putBack(String key) {
        guard.change(() -> {
            exclusions.include(key);
            announcements.retryAtOnce(key);
        });
        restart();
    }

    /**
     * Drops the candidates that were found and not handed out, since older work has become available again. No wait
     * ends by the query that found them.
     */
    public void restart() {
        guard.change(() -> {
            // What was found and dropped is announced no more.
            if (search.answer().isEmpty() && !search.isUnderWay()) {
                search.hurry();
            } else {
                search.hurryAnyway();
            }
            search.answer().drop();
            offers.clear();
        });
    }

    /** Ends every wait, now and later: nothing is handed out any more. */
    public void close() {
        guard.change(() -> closed = true);
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Takes a candidate back. Returns whether it is excluded now. */
    boolean giveBack(C candidate, long excludedUntil, TryOutcome outcome) {
        boolean isExcluded = excludedUntil > clock.millis();
        guard.change(() -> {
            exclusions.giveBack(candidate);
            if (isExcluded) {
                exclusions.exclude(candidate.key(), excludedUntil);
            }
            conclude(candidate.key(), excludedUntil, outcome);
            hurryForReleased();
        });
        return isExcluded;
    }

    void reserve(String claimant, C candidate, long untilMillis, TryOutcome outcome) {
        guard.change(() -> {
            exclusions.reserve(claimant, candidate, untilMillis);
            conclude(candidate.key(), untilMillis, outcome);
        });
    }

    private void conclude(String key, long againAtMillis, TryOutcome outcome) {
        if (outcome == TryOutcome.DONE) {
            announcements.settle(key);
        } else if (outcome == TryOutcome.AGAIN && !announcements.retry(key, againAtMillis)) {
            search.hurryAt(againAtMillis);
        }
    }

    Optional<C> take(CandidateWait<C> wait) {
        guard.lock();
        workers.came();
        announcements.fetchBegan();
        boolean isEmpty = false;
        try {
            while (!closed) {
                wakeForTimers();
                Optional<C> found = exclusions
                        .takeReserved(wait.claimant())
                        .or(() -> exclusions.handOutFirst(offers.ready(), wait))
                        .or(() -> own.takeFirst(wait))
                        .or(() -> takeAnnounced(wait))
                        .or(() -> exclusions.handOutFirst(search.answer().candidates(search.isAnnounced()), wait));
                if (found.isPresent()) {
                    return found;
                }
                boolean isOver = wait.isOver();
                boolean isAnnounced = search.isAnnounced();
                if (isOver && (isAnnounced ? !search.isDue() : search.hasAnswered(wait))) {
                    isEmpty = true;
                    return Optional.empty();
                }
                announcements.request(exclusions, own.size());
                if (search.mayAsk(isOver && !isAnnounced)) {
                    ask(wait);
                } else {
                    rest(wait);
                }
            }
            return Optional.empty();
        } catch (InterruptedException e) {
            throw Failures.interrupted(wait.call(), e);
        } finally {
            leave(isEmpty);
            guard.unlock();
        }
    }

    private Optional<C> takeAnnounced(CandidateWait<C> wait) {
        Optional<C> taken =
                wait.isLongOver() ? Optional.empty() : announcements.takeFirst(exclusions, wait, nanoTime());
        taken.ifPresent(own::tookAnnounced);
        return taken;
    }

    private void leave(boolean isEmpty) {
        announcements.fetchEnded();
        if (isEmpty) {
            workers.leftWithNothing();
        } else {
            workers.left();
        }
        announcements.request(exclusions, own.size());
        if (offers.withdraw()) {
            guard.wakeAll();
        }
    }

    private void ask(CandidateWait<C> wait) {
        Set<String> hidden = exclusions.keys();
        offers.ready().forEach(candidate -> hidden.add(candidate.key()));
        try {
            search.ask(wait, hidden, workers.waiting());
        } finally {
            if (!search.isUnderWay()) {
                offers.settleDelayed();
            }
            guard.wakeAll();
        }
    }

    private void rest(CandidateWait<C> wait) throws InterruptedException {
        long nanosUntilDue = Math.min(nanosUntil(announcements.nextDue()), nanosUntil(own.nextDue()));
        guard.awaitChange(Math.min(search.nanosToRest(wait), nanosUntilDue));
    }

    private long nanosUntil(@Nullable Long due) {
        return due == null ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(Math.max(1, due - clock.millis()));
    }

    private void wakeForTimers() {
        search.hurryIfDue();
        exclusions.expire(clock.millis());
        hurryForReleased();
    }

    /** Queries at once when a key was offered while it was held, and is held no longer. */
    private void hurryForReleased() {
        if (exclusions.forgetReleased()) {
            search.hurry();
        }
    }
}
