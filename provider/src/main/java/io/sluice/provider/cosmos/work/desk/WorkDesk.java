package io.sluice.provider.cosmos.work.desk;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.cosmos.work.WorkSearch;
import io.sluice.provider.cosmos.work.index.WorkDecision;
import io.sluice.provider.cosmos.work.index.WorkIndex;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives the work of one queue to the dispatchers of this process: a {@link WorkIndex} with a lock, clocks, and the
 * threads of the dispatchers, which search the store for it one at a time. Thread-safe.
 */
public final class WorkDesk {
    private final WorkIndex index;
    private final WorkSearch search;
    private final @Nullable AnnouncedInput input;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Announced announced = new Announced();
    private final Waiters waiters;
    private long lastFetch;

    /**
     * Makes no request.
     *
     * @param input where work is announced; null where it is not
     * @param clock that locks and visibility go by
     * @param nanoTime the monotonic clock
     */
    public WorkDesk(
            WorkLimits limits,
            WorkSearch search,
            @Nullable AnnouncedInput input,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.index = new WorkIndex(limits);
        this.search = search;
        this.input = input;
        this.clock = clock;
        this.nanoTime = nanoTime;
        DueTimer timer = input == null ? null : new DueTimer(this::timePassed);
        this.waiters = new Waiters(lock, nanoTime, this::nanosUntilDue, timer);
    }

    private void timePassed() {
        tell(now -> {
            waiters.timerBegan();
            List<WorkDecision> made = new ArrayList<>(health(now));
            made.addAll(index.passed(now));
            return made;
        });
    }

    /** Whether work that is there, or comes, is announced. */
    public boolean isAnnounced() {
        return input != null && input.isHealthy();
    }

    /** Whether this process alone hears of the instance's work, or nobody tells of any. */
    public boolean isOwn(String instanceId) {
        return input == null || !input.isHealthy() || input.isOwn(instanceId);
    }

    private final class Announced implements AnnouncedInput.Listener {
        @Override
        public void announced(
                Function<WorkMoment, List<KnownWork>> works,
                WorkFeed.Receipt receipt,
                WorkFilter toldTo,
                WorkIndex.Delivery delivery) {
            tell(now -> index.announced(works.apply(now), receipt, toldTo, delivery, now));
        }

        @Override
        public void lost() {
            tell(index::lost);
        }

        @Override
        public void healthChanged() {
            tell(WorkDesk.this::health);
        }

        @Override
        public void joined() {
            tell(index::joined);
        }
    }

    private List<WorkDecision> health(WorkMoment now) {
        return index.healthy(isAnnounced(), now);
    }

    /** Begins a fetch of a dispatcher, to be closed. */
    public Fetch begin(WorkFilter filter, Duration longest) {
        if (input != null) {
            input.fetchBegan(filter, announced);
        }
        return inLock(() -> {
            long number = ++lastFetch;
            return new Fetch(number, filter, waiters.begin(number, nanoTime.getAsLong() + longest.toNanos()));
        });
    }

    /** A turn of the instance has queued so many activities. */
    public void expectCompletions(String key, int activities) {
        tell(now -> index.expectCompletions(key, activities, now));
    }

    /** This process has completed one of them. */
    public void completed(String key) {
        tell(now -> index.completed(key, now));
    }

    /** This process wrote work. */
    public void written(KnownWork work) {
        tell(now -> index.written(work, now));
    }

    /** An instance has its start, or will have it at any moment, whatever was seen of it before. */
    public void started(String key) {
        tell(now -> index.started(key, now));
    }

    /** There may be work that this process knows nothing of. */
    public void missed() {
        tell(index::missed);
    }

    /** Another process was faster with a candidate. */
    public void raceLost() {
        tell(index::raceLost);
    }

    /** What was found and is not tried yet may suit no dispatcher: it has to be found again. */
    public void restart() {
        tell(index::restart);
    }

    /** This process has locked a turn, or renewed its lock, until then (milliseconds). */
    public void held(String key, long untilMillis) {
        tell(now -> index.held(key, untilMillis, now));
    }

    /** A turn that this process had locked has ended. */
    public void ended(String key, WorkOutcome outcome) {
        tell(now -> index.ended(key, outcome, now));
    }

    /** Whether a dispatcher that has fetched lately takes work with these needs. */
    public boolean isAccepted(WorkNeeds needs) {
        return inLock(() -> index.isAccepted(needs));
    }

    /** Whether this process has a turn of it locked. */
    public boolean isHeld(String key) {
        return inLock(() -> index.isHeld(key));
    }

    /** Ends every fetch, now and later: nothing is given out any more. */
    public void close() {
        lock.lock();
        try {
            waiters.close();
        } finally {
            lock.unlock();
        }
    }

    private List<WorkDecision> tell(Function<WorkMoment, List<WorkDecision>> event) {
        List<WorkDecision> made = inLock(() -> {
            List<WorkDecision> decisions = event.apply(now());
            wake(decisions);
            return decisions;
        });
        answer(made);
        return made;
    }

    private <T> T inLock(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Outside of the lock: a feed may hold one of its own. */
    private void answer(List<WorkDecision> made) {
        for (WorkDecision decision : made) {
            if (decision instanceof WorkDecision.Settle settle) {
                settle.receipt().handled();
            } else if (decision instanceof WorkDecision.Release release) {
                release.receipt().returned();
            } else if (decision instanceof WorkDecision.Demand demand && input != null) {
                request(input, demand.filter());
            } else if (decision instanceof WorkDecision.AskForHelp asked && input != null) {
                input.askForHelp(asked.work());
            }
        }
    }

    /** Says the latest number: decisions of two threads may be carried out in another order than they were made. */
    private void request(AnnouncedInput from, WorkFilter filter) {
        synchronized (from) {
            from.request(filter, inLock(() -> index.demanded(filter)));
        }
    }

    private void wake(List<WorkDecision> made) {
        for (WorkDecision decision : made) {
            if (decision instanceof WorkDecision.Wake wake) {
                waiters.wake(wake.fetch());
            }
        }
        waiters.dueChanged();
    }

    private WorkMoment now() {
        return new WorkMoment(clock.millis(), TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()));
    }

    private long nanosUntilDue() {
        WorkMoment next = index.next();
        WorkMoment now = now();
        long due = TimeUnit.MILLISECONDS.toNanos(
                Math.min(left(next.millis(), now.millis()), left(next.steadyMillis(), now.steadyMillis())));
        return input == null ? due : Math.min(due, input.nanosUntilOverdue());
    }

    private static long left(long next, long now) {
        if (next == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        return next <= now ? 1 : next - now;
    }

    /** One fetch: it may try several candidates until one can be locked. Used by one thread. */
    public final class Fetch implements AutoCloseable {
        private final long number;
        private final WorkFilter filter;
        private final Waiters.Waiter waiter;
        private @Nullable WorkCandidate tried;

        private Fetch(long number, WorkFilter filter, Waiters.Waiter waiter) {
            this.number = number;
            this.filter = filter;
            this.waiter = waiter;
        }

        /**
         * The next candidate, which no other fetch gets until it is {@link #conclude concluded}. Nothing once the
         * time is over and what is known, by a search since the fetch began, was tried.
         *
         * @param call how long one search is tried
         * @throws io.sluice.provider.ProviderException when the store could not be searched
         */
        public Optional<WorkCandidate> next(Call call) {
            while (true) {
                WorkDecision decision = ask();
                if (decision instanceof WorkDecision.Try given) {
                    tried = given.candidate();
                    return Optional.of(given.candidate());
                }
                if (decision instanceof WorkDecision.Search wanted) {
                    search(call.again(), wanted.request());
                } else if (decision instanceof WorkDecision.Nothing) {
                    return Optional.empty();
                } else {
                    waiter.await(call);
                }
            }
        }

        /** Says what came of the candidate that {@link #next} gave. */
        public void conclude(WorkOutcome outcome) {
            WorkCandidate concluded = Objects.requireNonNull(tried, "no candidate is tried");
            tried = null;
            tell(now -> index.concluded(concluded.key(), outcome, now));
        }

        private WorkDecision ask() {
            List<WorkDecision> made = tell(now -> {
                waiter.asks();
                if (waiters.isClosed()) {
                    return List.of(new WorkDecision.Nothing(number));
                }
                List<WorkDecision> all = new ArrayList<>(health(now));
                all.addAll(index.take(number, filter, waiter.isOver(), now));
                return all;
            });
            return made.stream()
                    .filter(this::isAnswer)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("a fetch got no answer"));
        }

        private boolean isAnswer(WorkDecision decision) {
            return decision instanceof WorkDecision.Try
                    || decision instanceof WorkDecision.Search
                    || decision instanceof WorkDecision.Wait
                    || decision instanceof WorkDecision.Nothing;
        }

        private void search(Call call, WorkSearch.Request request) {
            boolean isAnswered = false;
            try {
                WorkFound found = search.find(call, request);
                tell(now -> index.found(request.number(), found, now));
                isAnswered = true;
            } finally {
                if (!isAnswered) {
                    tell(now -> index.searchFailed(request.number(), now));
                }
            }
        }

        /** Ends the fetch: with work, or without. What it was given and could not even try is tried again, later. */
        @Override
        public void close() {
            if (tried != null) {
                conclude(new WorkOutcome.Refused(0));
            }
            tell(now -> {
                waiters.end(number);
                return index.leave(number, now);
            });
            if (input != null) {
                input.fetchEnded(filter);
            }
        }
    }
}
