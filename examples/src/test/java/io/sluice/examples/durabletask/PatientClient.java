package io.sluice.examples.durabletask;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Calls hosts in turn, and another one when a call was not answered, for as long as a test has patience. Thread-safe.
 */
final class PatientClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int CALL_SECONDS = 20;
    /** What says nothing of whether the call was carried out. */
    private static final Set<Status.Code> UNANSWERED =
            Set.of(Status.Code.UNAVAILABLE, Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED);

    private final List<ManagedChannel> channels;
    private final AtomicInteger calls = new AtomicInteger();

    PatientClient(List<Integer> ports) {
        this.channels = ports.stream()
                .map(port -> NettyChannelBuilder.forAddress("127.0.0.1", port)
                        .usePlaintext()
                        .build())
                .toList();
    }

    /** Starts an instance; it is no fault that an unanswered try has started it. */
    void start(String instance, String orchestration, String input) {
        CreateInstanceRequest request = CreateInstanceRequest.newBuilder()
                .setInstanceId(instance)
                .setName(orchestration)
                .setInput(Wire.text(input))
                .build();
        AtomicInteger tries = new AtomicInteger();
        var unused = call(stub -> {
            boolean isFirst = tries.getAndIncrement() == 0;
            try {
                return stub.startInstance(request).getInstanceId();
            } catch (StatusRuntimeException e) {
                if (e.getStatus().getCode() == Status.Code.ALREADY_EXISTS && !isFirst) {
                    return instance;
                }
                throw e;
            }
        });
    }

    /** Waits for the end of an instance. */
    OrchestrationState awaitEnd(String instance) {
        return call(stub -> stub.waitForInstanceCompletion(GetInstanceRequest.newBuilder()
                        .setInstanceId(instance)
                        .setGetInputsAndOutputs(true)
                        .build()))
                .getOrchestrationState();
    }

    private <T> T call(Function<TaskHubSidecarServiceBlockingStub, T> call) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            ManagedChannel channel = channels.get(Math.floorMod(calls.getAndIncrement(), channels.size()));
            try {
                // A host that is not there is waited for, as its successor is about to come.
                return call.apply(TaskHubSidecarServiceGrpc.newBlockingStub(channel)
                        .withWaitForReady()
                        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS));
            } catch (StatusRuntimeException e) {
                if (!UNANSWERED.contains(e.getStatus().getCode()) || System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
