package io.sluice.durabletask.conformance;

import io.grpc.Channel;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.RaiseEventRequest;
import io.sluice.durabletask.wire.Protocol.ResumeRequest;
import io.sluice.durabletask.wire.Protocol.StreamInstanceHistoryRequest;
import io.sluice.durabletask.wire.Protocol.SuspendRequest;
import io.sluice.durabletask.wire.Protocol.TerminateRequest;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client on the generated stub. Each call has a deadline. Thread-safe. */
final class HubClient {
    private static final long DEADLINE_SECONDS = 60;

    private final Channel channel;

    HubClient(Channel channel) {
        this.channel = channel;
    }

    TaskHubSidecarServiceBlockingStub stub() {
        return TaskHubSidecarServiceGrpc.newBlockingStub(channel)
                .withMaxInboundMessageSize(Integer.MAX_VALUE)
                .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    Channel channel() {
        return channel;
    }

    /** A start with an id that nothing else has. */
    static CreateInstanceRequest.Builder request(String name) {
        return CreateInstanceRequest.newBuilder()
                .setInstanceId(HostFixture.unique("i"))
                .setName(name);
    }

    /** Starts an instance, and returns its id. */
    String start(String name, String input) {
        return start(request(name).setInput(Wire.text(input)));
    }

    String start(CreateInstanceRequest.Builder request) {
        return stub().startInstance(request.build()).getInstanceId();
    }

    GetInstanceResponse get(String instance) {
        return stub().getInstance(with(instance));
    }

    /** The state with payloads; the instance must be there. */
    OrchestrationState state(String instance) {
        GetInstanceResponse response = get(instance);
        if (!response.getExists()) {
            throw new AssertionError("there is no instance " + instance);
        }
        return response.getOrchestrationState();
    }

    OrchestrationStatus status(String instance) {
        return state(instance).getOrchestrationStatus();
    }

    OrchestrationState awaitStart(String instance) {
        return stub().waitForInstanceStart(with(instance)).getOrchestrationState();
    }

    OrchestrationState awaitEnd(String instance) {
        return stub().waitForInstanceCompletion(with(instance)).getOrchestrationState();
    }

    static GetInstanceRequest with(String instance) {
        return GetInstanceRequest.newBuilder()
                .setInstanceId(instance)
                .setGetInputsAndOutputs(true)
                .build();
    }

    void raise(String instance, String name, String data) {
        var unused = stub().raiseEvent(RaiseEventRequest.newBuilder()
                .setInstanceId(instance)
                .setName(name)
                .setInput(Wire.text(data))
                .build());
    }

    void suspend(String instance) {
        var unused = stub().suspendInstance(SuspendRequest.newBuilder()
                .setInstanceId(instance)
                .setReason(Wire.text("lunch"))
                .build());
    }

    void resume(String instance) {
        var unused = stub().resumeInstance(
                        ResumeRequest.newBuilder().setInstanceId(instance).build());
    }

    void terminate(String instance, String output, boolean recursive) {
        var unused = stub().terminateInstance(TerminateRequest.newBuilder()
                .setInstanceId(instance)
                .setOutput(Wire.text(output))
                .setRecursive(recursive)
                .build());
    }

    /** The history as it is streamed. */
    List<HistoryEvent> history(String instance) {
        List<HistoryEvent> events = new ArrayList<>();
        stub().streamInstanceHistory(StreamInstanceHistoryRequest.newBuilder()
                        .setInstanceId(instance)
                        .build())
                .forEachRemaining(chunk -> events.addAll(chunk.getEventsList()));
        return events;
    }
}
