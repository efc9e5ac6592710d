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
 * Clients that wait for an instance to start, or to end. They hold no thread. An instance is read, once for all
 * who wait for it, when a turn that was committed here brings what they wait for; and now and then, since other hosts
 * may work on it. Thread-safe.
 */
public final class Waits implements AutoCloseable {
    private static final int READERS = 8;
    /** For instances that could not be read: such a read may take the store's whole patience. */
    private static final int RETRY_READERS = 4;

    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_AFTER_FAILURE_MILLIS = 30_000;
    /** Keeps all who wait within five hundred reads a second. */
    private static final long MILLIS_PER_INSTANCE = 2;

    private final States states;
    private final ConcurrentMap<String, InstanceWait> waits = new ConcurrentHashMap<>();
    private final ExecutorService readers;
    private final ExecutorService retryReaders;
    private final ScheduledExecutorService timer;

    /** Of one task hub. */
    public Waits(States states, ThreadFactory threads) {
        this.states = states;
        this.readers = Executors.newFixedThreadPool(READERS, threads);
        this.retryReaders = Executors.newFixedThreadPool(RETRY_READERS, threads);
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
        InstanceWait wait = await(instance, waiter, caller);
        var unused = timer.schedule(
                () -> {
                    wait.remove(waiter);
                    waiter.answer(Optional.empty());
                },
                limit.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private InstanceWait await(String instance, Waiter waiter, ServerCallStreamObserver<?> caller) {
        while (true) {
            InstanceWait wait = waits.computeIfAbsent(
                    instance, id -> new InstanceWait(id, states, this::readersOf, this::readAfter, this::forget));
            caller.setOnCancelHandler(() -> wait.remove(waiter));
            if (wait.add(waiter)) {
                return wait;
            }
        }
    }

    /** Reads an instance that has come into this state, when somebody waits for that. */
    public void changed(String instance, OrchestrationStatus status) {
        InstanceWait wait = waits.get(instance);
        if (wait != null) {
            wait.changed(status);
        }
    }

    /** Instances that can't be read have threads of their own, so that they hold up none that can. */
    private Executor readersOf(boolean hasFailed) {
        return hasFailed ? retryReaders : readers;
    }

    private void readAfter(InstanceWait wait, long millis, boolean hasFailed) {
        long longest = hasFailed
                ? LONGEST_PAUSE_AFTER_FAILURE_MILLIS
                : Math.max(LONGEST_PAUSE_MILLIS, MILLIS_PER_INSTANCE * waits.size());
        // Nobody waits for its end; a read more than needed does no harm.
        var unused = timer.schedule(wait::read, Math.min(millis, longest), TimeUnit.MILLISECONDS);
    }

    private void forget(InstanceWait wait) {
        waits.remove(wait.instance(), wait);
    }

    /** How many instances clients wait for. */
    public int count() {
        return waits.size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        readers.shutdownNow();
        retryReaders.shutdownNow();
        waits.values().forEach(wait -> wait.fail(Status.UNAVAILABLE.withDescription("the host closes")));
    }
}
