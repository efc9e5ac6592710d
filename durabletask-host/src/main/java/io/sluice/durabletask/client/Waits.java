package io.sluice.durabletask.client;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Clients that wait for an instance to start, or to end. They hold no thread. An instance is looked at, once for all
 * who wait for it, when a turn that was committed here brings what they wait for; and now and then, since other hosts
 * may work on it. Thread-safe.
 */
public final class Waits implements AutoCloseable {
    private static final int LOOKERS = 8;
    /** For instances that could not be read: such a look may take the store's whole patience. */
    private static final int LOOKERS_AGAIN = 4;

    private static final long LONGEST_REST_MILLIS = 1_000;
    private static final long LONGEST_REST_AFTER_FAILURE_MILLIS = 30_000;
    /** Keeps all who wait within five hundred looks a second. */
    private static final long MILLIS_PER_WATCH = 2;

    private final States states;
    private final ConcurrentMap<String, Watch> watches = new ConcurrentHashMap<>();
    private final ExecutorService lookers;
    private final ExecutorService lookersAgain;
    private final ScheduledExecutorService timer;

    /** Of one task hub. */
    public Waits(States states, ThreadFactory threads) {
        this.states = states;
        this.lookers = Executors.newFixedThreadPool(LOOKERS, threads);
        this.lookersAgain = Executors.newFixedThreadPool(LOOKERS_AGAIN, threads);
        this.timer = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /** Answers when the instance has started, or is not there. */
    public void awaitStart(GetInstanceRequest request, ServerCallStreamObserver<GetInstanceResponse> caller) {
        await(request, status -> status != OrchestrationStatus.ORCHESTRATION_STATUS_PENDING, caller);
    }

    /** Answers when the instance has ended, or is not there. */
    public void awaitEnd(GetInstanceRequest request, ServerCallStreamObserver<GetInstanceResponse> caller) {
        await(request, States.ENDED::contains, caller);
    }

    private void await(
            GetInstanceRequest request,
            Predicate<OrchestrationStatus> until,
            ServerCallStreamObserver<GetInstanceResponse> caller) {
        boolean withPayloads = request.getGetInputsAndOutputs();
        await(
                Requests.instanceId(request.getInstanceId()),
                new WaitingCaller<>(caller, until, found -> states.response(found, withPayloads)),
                caller);
    }

    /** Answers when an instance has come into a state, or when the time is over. */
    <T> void awaitAtMost(
            Duration limit,
            String instance,
            Predicate<OrchestrationStatus> until,
            ServerCallStreamObserver<T> caller,
            T answer) {
        WaitingCaller<T> waiter = new WaitingCaller<>(caller, until, found -> answer);
        Watch watch = await(instance, waiter, caller);
        var unused = timer.schedule(
                () -> {
                    watch.remove(waiter);
                    waiter.answer(Optional.empty());
                },
                limit.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private Watch await(String instance, Waiter waiter, ServerCallStreamObserver<?> caller) {
        while (true) {
            Watch watch = watches.computeIfAbsent(
                    instance, id -> new Watch(id, states, this::lookersOf, this::rest, this::forget));
            caller.setOnCancelHandler(() -> watch.remove(waiter));
            if (watch.add(waiter)) {
                return watch;
            }
        }
    }

    /** Looks at an instance that has come into this state, when somebody waits for that. */
    public void changed(String instance, OrchestrationStatus status) {
        Watch watch = watches.get(instance);
        if (watch != null) {
            watch.changed(status);
        }
    }

    /** Instances that can't be read have threads of their own, so that they hold up none that can. */
    private Executor lookersOf(boolean hasFailed) {
        return hasFailed ? lookersAgain : lookers;
    }

    private void rest(Watch watch, long millis, boolean hasFailed) {
        long longest = hasFailed
                ? LONGEST_REST_AFTER_FAILURE_MILLIS
                : Math.max(LONGEST_REST_MILLIS, MILLIS_PER_WATCH * watches.size());
        // Nobody waits for its end; a look more than needed does no harm.
        var unused = timer.schedule(watch::look, Math.min(millis, longest), TimeUnit.MILLISECONDS);
    }

    private void forget(Watch watch) {
        watches.remove(watch.instance(), watch);
    }

    /** How many instances clients wait for. */
    public int count() {
        return watches.size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        lookers.shutdownNow();
        lookersAgain.shutdownNow();
        watches.values().forEach(watch -> watch.fail(Status.UNAVAILABLE.withDescription("the host closes")));
    }
}
