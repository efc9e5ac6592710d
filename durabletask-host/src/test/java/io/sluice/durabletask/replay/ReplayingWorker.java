package io.sluice.durabletask.replay;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.sluice.durabletask.dispatch.DaemonThreads;
import io.sluice.durabletask.wire.Protocol.ActivityRequest;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceStub;
import io.sluice.durabletask.wire.Wire;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A worker over gRPC whose orchestrations are functions of an execution's events, as orchestrations of SDKs are. It
 * takes what it is given functions for, and nothing else; activities return their input. Thread-safe once connected.
 */
public final class ReplayingWorker implements AutoCloseable {
    private final ManagedChannel channel;
    private final GetWorkItemsRequest.Builder offer = GetWorkItemsRequest.newBuilder();
    private final Map<String, Function<Execution, List<OrchestratorAction>>> orchestrations = new ConcurrentHashMap<>();
    private final List<String> turns = new CopyOnWriteArrayList<>();
    private final ExecutorService hands = Executors.newCachedThreadPool(DaemonThreads.named("test-worker"));
    private boolean reconnects;
    private Context.@Nullable CancellableContext stream;

    /** One of the host at this port. */
    public ReplayingWorker(int port) {
        this.channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    /** It takes this orchestration and decides its turns by the function. */
    public ReplayingWorker runs(String orchestration, Function<Execution, List<OrchestratorAction>> decide) {
        orchestrations.put(orchestration, decide);
        offer.getWorkItemFiltersBuilder().addOrchestrationsBuilder().setName(orchestration);
        return this;
    }

    /** It takes this activity. */
    public ReplayingWorker performs(String activity) {
        offer.getWorkItemFiltersBuilder().addActivitiesBuilder().setName(activity);
        return this;
    }

    /** It comes back by another stream when one breaks, and waits for a host that is not there, as workers of SDKs. */
    public ReplayingWorker reconnects() {
        reconnects = true;
        return this;
    }

    /** Asks for work. */
    public ReplayingWorker connect() {
        Context.CancellableContext opened = Context.current().withCancellation();
        stream = opened;
        opened.run(this::open);
        return this;
    }

    private void open() {
        TaskHubSidecarServiceStub stub = TaskHubSidecarServiceGrpc.newStub(channel);
        (reconnects ? stub.withWaitForReady() : stub).getWorkItems(offer.build(), new Items());
    }

    /** Instances of the turns that came, in order. */
    public List<String> turns() {
        return turns;
    }

    /** What a host does not take any more comes again. */
    private void tryToWork(WorkItem item) {
        try {
            work(item);
        } catch (StatusRuntimeException e) {
            if (!reconnects) {
                throw e;
            }
            System.err.println("not taken: " + e.getStatus());
        }
    }

    private void work(WorkItem item) {
        if (item.hasOrchestratorRequest()) {
            var unused = stub().completeOrchestratorTask(decided(item, item.getOrchestratorRequest()));
        } else if (item.hasActivityRequest()) {
            var unused = stub().completeActivityTask(performed(item, item.getActivityRequest()));
        }
    }

    private TaskHubSidecarServiceBlockingStub stub() {
        return TaskHubSidecarServiceGrpc.newBlockingStub(channel);
    }

    private OrchestratorResponse decided(WorkItem item, OrchestratorRequest turn) {
        turns.add(turn.getInstanceId());
        Execution execution = Execution.of(turn);
        Function<Execution, List<OrchestratorAction>> decide =
                orchestrations.get(execution.started().getName());
        if (decide == null) {
            throw new AssertionError("a turn that this worker does not take: " + turn.getInstanceId());
        }
        return OrchestratorResponse.newBuilder()
                .setInstanceId(turn.getInstanceId())
                .setCompletionToken(item.getCompletionToken())
                .addAllActions(decide.apply(execution))
                .build();
    }

    private static ActivityResponse performed(WorkItem item, ActivityRequest request) {
        return ActivityResponse.newBuilder()
                .setInstanceId(request.getOrchestrationInstance().getInstanceId())
                .setTaskId(request.getTaskId())
                .setCompletionToken(item.getCompletionToken())
                .setResult(Wire.text(request.getInput().getValue()))
                .build();
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.cancel(null);
        }
        channel.shutdownNow();
        hands.shutdown();
    }

    private final class Items implements StreamObserver<WorkItem> {
        @Override
        public void onNext(WorkItem item) {
            hands.execute(() -> tryToWork(item));
        }

        /** Without reconnection the stream ends with its test. */
        @Override
        public void onError(Throwable failure) {
            reopen();
        }

        @Override
        public void onCompleted() {
            reopen();
        }

        private void reopen() {
            if (reconnects && !channel.isShutdown()) {
                open();
            }
        }
    }
}
