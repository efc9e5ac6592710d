package io.sluice.examples.durabletask.kafka;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.durabletask.replay.ReplayingWorker;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosProviderBuilder;
import io.sluice.provider.kafka.KafkaWorkFeedBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A host with its provider, meters, workers and a client. Not thread-safe. */
final class RunningHost implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;

    private final CosmosProvider provider;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final DurableTaskHost host;
    private final ManagedChannel channel;
    private final List<ReplayingWorker> workers = new ArrayList<>();

    /** Closes the provider in the end. */
    RunningHost(CosmosProviderBuilder provider) {
        this(provider, null);
    }

    private RunningHost(CosmosProviderBuilder provider, @Nullable KafkaWorkFeedBuilder feed) {
        provider.meterRegistry(meters);
        if (feed != null) {
            provider.workFeed(feed.meterRegistry(meters).build());
        }
        this.provider = provider.build();
        this.host = DurableTaskHost.start(
                this.provider,
                HostConfig.local(0).withMeters(meters).withHub(HubSettings.USUAL.withWaitingInterval(Duration.ZERO)));
        this.channel = NettyChannelBuilder.forAddress("127.0.0.1", host.port())
                .usePlaintext()
                .build();
    }

    /** One whose work is announced to it. */
    static RunningHost announced(CosmosProviderBuilder provider, KafkaWorkFeedBuilder feed) {
        return new RunningHost(provider, feed);
    }

    /** Whether the announcements of this many subscriptions, and of no fewer, can be relied on. */
    boolean isAnnounced(int subscriptions) {
        return meters.find("sluice.work.feed.healthy").gauges().stream()
                        .filter(gauge -> gauge.value() == 1)
                        .count()
                == subscriptions;
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
