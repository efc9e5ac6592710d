package io.sluice.durabletask.kafka;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.cosmos.CosmosProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A host with its provider, meters, workers and a client. Not thread-safe. */
final class RunningHost implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;

    private final CosmosProvider provider;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final DurableTaskHost host;
    private final ManagedChannel channel;
    private final List<ReplayingWorker> workers = new ArrayList<>();

    /** Closes the provider in the end. */
    RunningHost(CosmosProvider provider) {
        this.provider = provider;
        this.host = DurableTaskHost.start(provider, HostConfig.local(0).withMeters(meters));
        this.channel = NettyChannelBuilder.forAddress("127.0.0.1", host.port())
                .usePlaintext()
                .build();
    }

    /** One that is not connected yet. */
    ReplayingWorker worker() {
        ReplayingWorker worker = new ReplayingWorker(host.port());
        workers.add(worker);
        return worker;
    }

    TaskHubSidecarServiceBlockingStub client() {
        return TaskHubSidecarServiceGrpc.newBlockingStub(channel).withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    void start(String instance, String orchestration, String input) {
        var unused = client().startInstance(CreateInstanceRequest.newBuilder()
                .setInstanceId(instance)
                .setName(orchestration)
                .setInput(Wire.text(input))
                .build());
    }

    OrchestrationState awaitEnd(String instance) {
        return client().waitForInstanceCompletion(GetInstanceRequest.newBuilder()
                        .setInstanceId(instance)
                        .setGetInputsAndOutputs(true)
                        .build())
                .getOrchestrationState();
    }

    /** How much was fetched in vain, since no worker here took it. */
    double returnedForWantOfAWorker() {
        return meters.find("sluice.host.returned").tag("cause", "no_worker").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Override
    public void close() {
        workers.forEach(ReplayingWorker::close);
        channel.shutdownNow();
        host.close();
        provider.close();
    }
}
