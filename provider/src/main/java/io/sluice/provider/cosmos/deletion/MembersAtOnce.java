package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.parallel.WorkerThreads;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.OperationCost;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Does one thing to each of many members, several at one time, on the caller's thread and on threads of its own. Each
 * member is tried as long as the call would be alone. After the first failure no other member is begun; those under way
 * are waited for. Thread-safe.
 */
final class MembersAtOnce {
    /** A request under way is waited for a little longer than the call is tried. */
    private static final Duration LAST_REQUEST = Duration.ofSeconds(15);

    private final WorkerThreads threads;
    private final int most;

    /**
     * Begins no thread yet.
     *
     * @param most members at one time for each caller; with one it starts no threads
     */
    MembersAtOnce(int most) {
        this.most = most;
        this.threads = new WorkerThreads("sluice-deletion", Math.max(1, most - 1));
    }

    /** What is done to a member. */
    interface Work<R> {
        /** Does it; null unless there is a result. The call is the member's own. */
        @Nullable
        R run(Call call, String member);
    }

    /**
     * Begins with the members in their order, until there is a result.
     *
     * @return the result, of the first member of those that had one meanwhile; null when none had one
     * @throws ProviderException what the first work that failed threw; retryable when the thread is interrupted
     */
    <R> @Nullable R untilAny(Call call, List<String> members, Work<R> work) {
        Round<R> round = new Round<>(call, members, work);
        round.run();
        return round.results.isEmpty() ? null : round.results.get(round.results.firstKey());
    }

    /** Does it to all of them; throws as {@link #untilAny}. */
    void forEach(Call call, Collection<String> members, BiConsumer<Call, String> work) {
        untilAny(call, List.copyOf(members), (own, member) -> {
            work.accept(own, member);
            return null;
        });
    }

    /** The results of all members that have one, in the members' order; throws as {@link #untilAny}. */
    <R> Map<String, R> map(Call call, Collection<String> members, Work<R> work) {
        Map<String, R> results = new ConcurrentHashMap<>();
        forEach(call, members, (own, member) -> {
            @Nullable R result = work.run(own, member);
            if (result != null) {
                results.put(member, result);
            }
        });
        Map<String, R> inOrder = new LinkedHashMap<>();
        for (String member : members) {
            @Nullable R result = results.get(member);
            if (result != null) {
                inOrder.put(member, result);
            }
        }
        return inOrder;
    }

    private final class Round<R> {
        private final Call call;
        private final List<String> members;
        private final Work<R> work;
        private final AtomicInteger next = new AtomicInteger();
        private final SortedMap<Integer, R> results = new ConcurrentSkipListMap<>();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Queue<OperationCost> costs = new ConcurrentLinkedQueue<>();
        private final Thread caller = Thread.currentThread();

        Round(Call call, List<String> members, Work<R> work) {
            this.call = call;
            this.members = members;
            this.work = work;
        }

        void run() {
            boolean ended = threads.run(this::workOffAndCount, Math.min(members.size(), most) - 1, this::end);
            @Nullable OperationCost all = OperationCost.current();
            if (all != null) {
                costs.forEach(all::add);
            }
            @Nullable Throwable failed = failure.get();
            if (failed instanceof RuntimeException e) {
                throw e;
            }
            if (failed instanceof Error e) {
                throw e;
            }
            if (!ended) {
                throw ProviderException.retryable(
                        call.operation(),
                        call.operation() + " on " + call.subject()
                                + " failed: interrupted, or requests did not end in time; the next process that finds one"
                                + " of the instances finishes or undoes it",
                        null);
            }
        }

        private Deadline end() {
            return Deadline.in(call.again().deadline().remaining().plus(LAST_REQUEST));
        }

        private void workOffAndCount() {
            if (Thread.currentThread().equals(caller)) {
                workOff();
            } else {
                costs.add(OperationCost.measure(call.operation(), this::workOff));
            }
        }

        private void workOff() {
            for (int i = next.getAndIncrement(); i < members.size() && !isOver(); i = next.getAndIncrement()) {
                try {
                    @Nullable R result = work.run(call.again(), members.get(i));
                    if (result != null) {
                        results.put(i, result);
                    }
                } catch (RuntimeException | Error e) {
                    note(e);
                }
            }
        }

        private boolean isOver() {
            return failure.get() != null || !results.isEmpty();
        }

        private void note(Throwable e) {
            @Nullable Throwable first = failure.compareAndExchange(null, e);
            if (first != null && first != e) {
                first.addSuppressed(e);
            }
        }
    }
}
