package io.sluice.durabletask.grpc;

import com.google.protobuf.Empty;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sluice.durabletask.client.CallFailures;
import io.sluice.durabletask.hub.TaskHub;
import io.sluice.durabletask.wire.Protocol.AbandonActivityTaskRequest;
import io.sluice.durabletask.wire.Protocol.AbandonActivityTaskResponse;
import io.sluice.durabletask.wire.Protocol.AbandonOrchestrationTaskRequest;
import io.sluice.durabletask.wire.Protocol.AbandonOrchestrationTaskResponse;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.CompleteTaskResponse;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.CreateInstanceResponse;
import io.sluice.durabletask.wire.Protocol.CreateTaskHubRequest;
import io.sluice.durabletask.wire.Protocol.CreateTaskHubResponse;
import io.sluice.durabletask.wire.Protocol.DeleteTaskHubRequest;
import io.sluice.durabletask.wire.Protocol.DeleteTaskHubResponse;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.HistoryChunk;
import io.sluice.durabletask.wire.Protocol.ListInstanceIdsRequest;
import io.sluice.durabletask.wire.Protocol.ListInstanceIdsResponse;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesResponse;
import io.sluice.durabletask.wire.Protocol.QueryInstancesRequest;
import io.sluice.durabletask.wire.Protocol.QueryInstancesResponse;
import io.sluice.durabletask.wire.Protocol.RaiseEventRequest;
import io.sluice.durabletask.wire.Protocol.RaiseEventResponse;
import io.sluice.durabletask.wire.Protocol.RestartInstanceRequest;
import io.sluice.durabletask.wire.Protocol.RestartInstanceResponse;
import io.sluice.durabletask.wire.Protocol.ResumeRequest;
import io.sluice.durabletask.wire.Protocol.ResumeResponse;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsRequest;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsResponse;
import io.sluice.durabletask.wire.Protocol.StreamInstanceHistoryRequest;
import io.sluice.durabletask.wire.Protocol.SuspendRequest;
import io.sluice.durabletask.wire.Protocol.SuspendResponse;
import io.sluice.durabletask.wire.Protocol.TerminateRequest;
import io.sluice.durabletask.wire.Protocol.TerminateResponse;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceImplBase;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The protocol's service: each call is a line. Thread-safe. */
public final class SidecarService extends TaskHubSidecarServiceImplBase {
    private final Supplier<TaskHub> hub;
    private final Executor purges;

    /**
     * The service.
     *
     * @param hub of the current call
     * @param purges runs purges, which may wait for a relay: answers of workers must not wait behind them
     */
    public SidecarService(Supplier<TaskHub> hub, Executor purges) {
        this.hub = hub;
        this.purges = purges;
    }

    @Override
    public void hello(Empty request, StreamObserver<Empty> caller) {
        answer("Hello", caller, Empty::getDefaultInstance);
    }

    @Override
    public void startInstance(CreateInstanceRequest request, StreamObserver<CreateInstanceResponse> caller) {
        answer("StartInstance", caller, () -> hub.get().starts().start(request));
    }

    @Override
    public void getInstance(GetInstanceRequest request, StreamObserver<GetInstanceResponse> caller) {
        answer(
                "GetInstance",
                caller,
                () -> hub.get().states().get(request.getInstanceId(), request.getGetInputsAndOutputs()));
    }

    @Override
    public void waitForInstanceStart(GetInstanceRequest request, StreamObserver<GetInstanceResponse> caller) {
        begin("WaitForInstanceStart", caller, call -> hub.get().waits().awaitStart(request, call));
    }

    @Override
    public void waitForInstanceCompletion(GetInstanceRequest request, StreamObserver<GetInstanceResponse> caller) {
        begin("WaitForInstanceCompletion", caller, call -> hub.get().waits().awaitEnd(request, call));
    }

    @Override
    public void raiseEvent(RaiseEventRequest request, StreamObserver<RaiseEventResponse> caller) {
        answer("RaiseEvent", caller, () -> hub.get().signals().raise(request));
    }

    @Override
    public void terminateInstance(TerminateRequest request, StreamObserver<TerminateResponse> caller) {
        answer("TerminateInstance", caller, () -> hub.get().signals().terminate(request));
    }

    @Override
    public void suspendInstance(SuspendRequest request, StreamObserver<SuspendResponse> caller) {
        begin("SuspendInstance", caller, call -> hub.get().signals().suspend(request, call));
    }

    @Override
    public void resumeInstance(ResumeRequest request, StreamObserver<ResumeResponse> caller) {
        begin("ResumeInstance", caller, call -> hub.get().signals().resume(request, call));
    }

    @Override
    public void restartInstance(RestartInstanceRequest request, StreamObserver<RestartInstanceResponse> caller) {
        answer("RestartInstance", caller, () -> hub.get().restarts().restart(request));
    }

    @Override
    public void queryInstances(QueryInstancesRequest request, StreamObserver<QueryInstancesResponse> caller) {
        answer("QueryInstances", caller, () -> hub.get().queries().query(request));
    }

    @Override
    public void listInstanceIds(ListInstanceIdsRequest request, StreamObserver<ListInstanceIdsResponse> caller) {
        answer("ListInstanceIds", caller, () -> hub.get().queries().list(request));
    }

    @Override
    public void purgeInstances(PurgeInstancesRequest request, StreamObserver<PurgeInstancesResponse> caller) {
        purges.execute(Context.current().wrap(() -> {
            if (!((ServerCallStreamObserver<?>) caller).isCancelled()) {
                answer("PurgeInstances", caller, () -> hub.get().purges().purge(request));
            }
        }));
    }

    @Override
    public void streamInstanceHistory(StreamInstanceHistoryRequest request, StreamObserver<HistoryChunk> caller) {
        begin("StreamInstanceHistory", caller, call -> {
            hub.get().history().send(request, call::onNext);
            call.onCompleted();
        });
    }

    @Override
    public void getWorkItems(GetWorkItemsRequest request, StreamObserver<WorkItem> caller) {
        begin("GetWorkItems", caller, call -> hub.get().connect(request, CallConnection.current(), call));
    }

    @Override
    public void completeOrchestratorTask(OrchestratorResponse request, StreamObserver<CompleteTaskResponse> caller) {
        answer("CompleteOrchestratorTask", caller, () -> {
            hub.get().dispatch().complete(request, CallConnection.current());
            return CompleteTaskResponse.getDefaultInstance();
        });
    }

    @Override
    public void completeActivityTask(ActivityResponse request, StreamObserver<CompleteTaskResponse> caller) {
        answer("CompleteActivityTask", caller, () -> {
            hub.get().dispatch().complete(request, CallConnection.current());
            return CompleteTaskResponse.getDefaultInstance();
        });
    }

    @Override
    public void abandonTaskOrchestratorWorkItem(
            AbandonOrchestrationTaskRequest request, StreamObserver<AbandonOrchestrationTaskResponse> caller) {
        answer("AbandonTaskOrchestratorWorkItem", caller, () -> {
            hub.get().dispatch().abandonTurn(request.getCompletionToken());
            return AbandonOrchestrationTaskResponse.getDefaultInstance();
        });
    }

    @Override
    public void abandonTaskActivityWorkItem(
            AbandonActivityTaskRequest request, StreamObserver<AbandonActivityTaskResponse> caller) {
        answer("AbandonTaskActivityWorkItem", caller, () -> {
            hub.get().dispatch().abandonActivity(request.getCompletionToken());
            return AbandonActivityTaskResponse.getDefaultInstance();
        });
    }

    @Override
    public void createTaskHub(CreateTaskHubRequest request, StreamObserver<CreateTaskHubResponse> caller) {
        answer("CreateTaskHub", caller, () -> {
            if (request.getRecreateIfExists()) {
                hub.get().empty();
            }
            return CreateTaskHubResponse.getDefaultInstance();
        });
    }

    @Override
    public void deleteTaskHub(DeleteTaskHubRequest request, StreamObserver<DeleteTaskHubResponse> caller) {
        answer("DeleteTaskHub", caller, () -> {
            hub.get().empty();
            return DeleteTaskHubResponse.getDefaultInstance();
        });
    }

    @Override
    public void skipGracefulOrchestrationTerminations(
            SkipGracefulOrchestrationTerminationsRequest request,
            StreamObserver<SkipGracefulOrchestrationTerminationsResponse> caller) {
        answer(
                "SkipGracefulOrchestrationTerminations",
                caller,
                () -> hub.get().terminations().terminate(request));
    }

    private static <T> void answer(String name, StreamObserver<T> caller, Supplier<T> call) {
        try {
            caller.onNext(call.get());
            caller.onCompleted();
        } catch (RuntimeException e) {
            fail(name, caller, e);
        }
    }

    private interface Call<T> {
        void begin(ServerCallStreamObserver<T> caller);
    }

    private static <T> void begin(String name, StreamObserver<T> caller, Call<T> call) {
        try {
            call.begin((ServerCallStreamObserver<T>) caller);
        } catch (RuntimeException e) {
            fail(name, caller, e);
        }
    }

    private static void fail(String name, StreamObserver<?> caller, RuntimeException failure) {
        if (((ServerCallStreamObserver<?>) caller).isCancelled()) {
            return;
        }
        Status status = CallFailures.statusOf(name, failure);
        caller.onError(status.asRuntimeException());
    }
}
