package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.slot.SlotRange;
import io.sluice.provider.cosmos.slot.SlotShare;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Candidates of one queue. Of all waiting dispatchers one at a time asks the store, for a few candidates per dispatcher, unless it is kept waiting; each
 * candidate goes to one of them. A dispatcher that waits is woken by work of this process and otherwise asks again at growing intervals. Thread-safe.
 */
public final class CandidateFeed<C extends Candidate> {
    private static final int PER_DISPATCHER = 4;
    private static final int LEAST = 16;
    private static final int MOST = 200;
    private static final long BUFFER_NANOS = Duration.ofMillis(500).toNanos();
    private static final int MOST_TIMERS = 10_000;
    private static final long LONG_TRY_MILLIS = 1_000;
    /** How long a wait whose time is over leaves it to another's query to answer for both. */
    private static final long SHARED_NANOS = Duration.ofMillis(100).toNanos();

    private final CandidateQuery<C> query;
    private final SlotShare slots;
    private final SlotLooks looks;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final Deque<C> buffer = new ArrayDeque<>();
    private final Deque<C> offered = new ArrayDeque<>();
    private final Deque<C> offeredWhileReading = new ArrayDeque<>();
    private final Set<String> handedOut = new HashSet<>();
    private final Set<String> missed = new HashSet<>();
    private final Map<String, Long> excludedUntilMillis = new HashMap<>();
    private final Map<String, Deque<C>> left = new HashMap<>();
    private final PriorityQueue<Long> dueMillis = new PriorityQueue<>();
    private final Pace pace;
    private long bufferedAtNanos;
    private long answeredQueryNanos;
    private boolean answeredOnce;
    private int reading;
    private long askedAtNanos;
    private long acceptedNanos;
    private boolean wokenWhileReading;
    private long restarts;
    private boolean closed;
    private int waiting;

    /**
     * A feed of what this query finds.
     *
     * @param slots where it looks first
     * @param nanoTime the monotonic clock, by which it rests and forgets
     */
    public CandidateFeed(CandidateQuery<C> query, SlotShare slots, InstantSource clock, LongSupplier nanoTime) {
        this.query = query;
        this.slots = slots;
        this.looks = new SlotLooks(clock, nanoTime);
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.pace = new Pace(nanoTime);
        this.acceptedNanos = nanoTime.getAsLong();
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
         * The next candidate, which nobody else gets until {@link #giveBack}; nothing once the time is over and the store, asked at least once
         * since the wait began, had nothing more. What this wait has passed over does not come again once the time is over: were there more of it than
         * can be looked at until it may be found again, the wait would never end.
         */
        public Optional<C> next() {
            return take(this);
        }

        /** Whether the candidate was found by a query sent after this wait began, and so shows all that was visible then. */
        public boolean isFresh(C candidate) {
            return candidate.queriedAtNanos() - startedNanos >= 0;
        }

        /** The candidate is done with; it may be found again from {@code excludedUntilMillis} on (0: at once). */
        public void giveBack(C candidate, long excludedUntil) {
            lock.lock();
            try {
                handedOut.remove(candidate.key());
                if (excludedUntil > clock.millis()) {
                    excludedUntilMillis.put(candidate.key(), excludedUntil);
                    passed.add(candidate.key());
                }
                hurryForMissed();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** The candidate is another claimant's: offered to that one alone until {@code untilMillis}, should it wait here; then to all again. */
        public void leaveTo(String other, C candidate, long untilMillis) {
            lock.lock();
            try {
                handedOut.remove(candidate.key());
                excludedUntilMillis.put(candidate.key(), untilMillis);
                left.computeIfAbsent(other, key -> new ArrayDeque<>()).add(candidate);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private boolean isAnswered() {
            return answeredAloneAt == restarts || (answeredOnce && answeredQueryNanos - startedNanos >= 0);
        }

        private boolean isThroughWith(String key) {
            return passed.contains(key) && isOver();
        }

        private boolean isOver() {
            return deadlineNanos - nanoTime.getAsLong() <= 0;
        }
    }

    /**
     * Until when a candidate is left alone after a try that the store's trouble ended: for as long as the try took, so that one
     * whose partition is throttled takes no more than half of a dispatcher's time from the others; a short one costs nothing.
     */
    public static long restAfter(long beganMillis, long nowMillis) {
        long took = nowMillis - beganMillis;
        return took < LONG_TRY_MILLIS ? 0 : nowMillis + took;
    }

    /** Begins the wait of one fetch. */
    public Wait begin(Call call, Duration longest) {
        return new Wait(call, longest, null);
    }

    /** Begins the wait of one fetch for a claimant, to whom others may leave candidates. */
    public Wait begin(Call call, Duration longest, String claimant) {
        return new Wait(call, longest, claimant);
    }

    /** Another process was faster with a candidate. */
    public void raceLost() {
        slots.raceLost();
    }

    /** Something may have become available now, by this process. */
    public void wake() {
        lock.lock();
        try {
            hurry();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Hands something that this process has just made available to a dispatcher that waits, so that the store need not be asked where it is. Only where
     * that is no queue-jumping: the last answer of the store left nothing over, and it is not time to ask again. What is held, by a dispatcher or until a
     * time, is remembered until it is {@link #release released}.
     *
     * @return false when nobody can have it so; then {@link #wake}
     */
    public boolean offer(C candidate) {
        lock.lock();
        try {
            wakeForTimers();
            if (isHeld(candidate.key())) {
                missed.add(candidate.key());
                return true;
            }
            if (isOffered(candidate.key())) {
                return true;
            }
            boolean isWanted = offered.size() + offeredWhileReading.size() < waiting && buffer.isEmpty();
            if (!isWanted || (reading == 0 && pace.isTimeToAsk())) {
                return false;
            }
            if (reading > 0) {
                offeredWhileReading.add(candidate);
            } else {
                handOver(candidate);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void handOver(C candidate) {
        offered.add(candidate);
        // What comes of it may be somebody else's doing: look soon, as after a wake-up.
        pace.hurrySoon();
        changed.signalAll();
    }

    /** What was offered while the store was asked: it may be too new for the answer, but is not to overtake what that brings. */
    private void settleOffers() {
        if (buffer.isEmpty()) {
            offeredWhileReading.stream()
                    .filter(candidate -> !isHeld(candidate.key()))
                    .forEach(this::handOver);
        } else if (!offeredWhileReading.isEmpty()) {
            hurry();
        }
        offeredWhileReading.clear();
    }

    private boolean isHeld(String key) {
        return excludedUntilMillis.containsKey(key) || handedOut.contains(key);
    }

    private boolean isOffered(String key) {
        return Stream.of(offered, offeredWhileReading)
                .flatMap(Deque::stream)
                .anyMatch(other -> other.key().equals(key));
    }

    /** Something becomes available at this time, by this process. */
    public void wakeAt(long millis) {
        lock.lock();
        try {
            if (dueMillis.size() < MOST_TIMERS) {
                dueMillis.add(millis);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The key is not worth finding before this time. */
    public void exclude(String key, long untilMillis) {
        lock.lock();
        try {
            excludedUntilMillis.put(key, untilMillis);
        } finally {
            lock.unlock();
        }
    }

    /** The key may be found, or offered, again. */
    public void allow(String key) {
        lock.lock();
        try {
            excludedUntilMillis.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The key, which was held, may be found, or offered, again. Others may have made something of it available meanwhile, which is soon looked for.
     *
     * @return whether this process has, by an offer
     */
    public boolean release(String key) {
        lock.lock();
        try {
            excludedUntilMillis.remove(key);
            pace.hurrySoon();
            changed.signalAll();
            return missed.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** The key may be found again; what was found before may be out of order, and is asked for anew. */
    public void include(String key) {
        lock.lock();
        try {
            excludedUntilMillis.remove(key);
            hurry();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops what was found and not handed out, since older work has become available again. Nobody was told of it, so no wait counts the answer that it came
     * with.
     */
    public void restart() {
        lock.lock();
        try {
            buffer.clear();
            offered.clear();
            offeredWhileReading.clear();
            forgetAnswers();
            hurry();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends every wait, those to come too: nothing is handed out any more. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void forgetAnswers() {
        answeredOnce = false;
        restarts++;
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
                Optional<C> found =
                        leftTo(wait.claimant).or(() -> firstFree(offered, wait)).or(() -> fromBuffer(wait));
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

    /** One asks for all, but nobody whose time is over waits for an answer that stays away. */
    private boolean mayAsk(boolean over) {
        return reading == 0 ? over || pace.isTimeToAsk() : over && sharedNanosLeft() <= 0;
    }

    private long sharedNanosLeft() {
        return askedAtNanos + SHARED_NANOS - nanoTime.getAsLong();
    }

    private Optional<C> leftTo(@Nullable String claimant) {
        @Nullable Deque<C> mine = claimant == null ? null : left.get(claimant);
        while (mine != null && !mine.isEmpty()) {
            C candidate = mine.removeFirst();
            // Found anew by anybody once its time is over, or should it slip away from us.
            if (excludedUntilMillis.remove(candidate.key()) != null && handedOut.add(candidate.key())) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** Those they were meant for have gone, or got something else: the store knows them too. */
    private void withdrawOffers() {
        if (offered.size() > waiting) {
            offered.clear();
            hurry();
            changed.signalAll();
        }
    }

    private Optional<C> fromBuffer(Wait wait) {
        if (!buffer.isEmpty() && nanoTime.getAsLong() - bufferedAtNanos > BUFFER_NANOS) {
            // There was more than could be looked at in time, so no wait ends by the answer that it came with.
            buffer.clear();
            forgetAnswers();
        }
        return firstFree(buffer, wait);
    }

    private Optional<C> firstFree(Deque<C> candidates, Wait wait) {
        for (Iterator<C> all = candidates.iterator(); all.hasNext(); ) {
            C candidate = all.next();
            if (!wait.isThroughWith(candidate.key())) {
                all.remove();
                boolean isExcluded = excludedUntilMillis.containsKey(candidate.key()) && !candidate.isAwaited();
                if (!isExcluded && handedOut.add(candidate.key())) {
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
        excludedUntilMillis.values().removeIf(until -> until <= now);
        hurryForMissed();
        left.values().removeIf(candidates -> {
            candidates.removeIf(candidate -> !excludedUntilMillis.containsKey(candidate.key()));
            return candidates.isEmpty();
        });
    }

    /** What was offered while it was held, and is held no longer, is to be found. */
    private void hurryForMissed() {
        if (missed.removeIf(key -> !isHeld(key))) {
            hurry();
        }
    }

    /** Asks the store, with the lock released meanwhile. */
    private void ask(Wait wait) {
        reading++;
        wokenWhileReading = false;
        int limit = Math.max(LEAST, Math.min(MOST, PER_DISPATCHER * waiting));
        Set<String> hidden = new HashSet<>(excludedUntilMillis.keySet());
        hidden.addAll(handedOut);
        offered.forEach(candidate -> hidden.add(candidate.key()));
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
                    wait.answeredAloneAt = restarts;
                }
                accept(found, sentAtNanos, isForAll && scope.isAll());
            } else {
                // Others who wait ask for themselves, after a rest.
                pace.restLonger();
            }
            if (reading == 0) {
                settleOffers();
            }
            changed.signalAll();
        }
    }

    private void accept(Found<C> found, long sentAtNanos, boolean isForAll) {
        if (sentAtNanos - acceptedNanos < 0) {
            // A later query was faster, and knows better.
            return;
        }
        acceptedNanos = sentAtNanos;
        buffer.clear();
        buffer.addAll(found.candidates());
        bufferedAtNanos = nanoTime.getAsLong();
        if (found.exhaustive() && isForAll) {
            answeredQueryNanos = sentAtNanos;
            answeredOnce = true;
        }
        if (!found.candidates().isEmpty()) {
            slots.workFound();
        }
        if (wokenWhileReading || !found.exhaustive() || looks.isAnotherDue()) {
            pace.hurry();
        } else if (found.candidates().isEmpty()) {
            pace.restLonger();
        } else {
            // Everything there was is here; what this process makes next is offered.
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
