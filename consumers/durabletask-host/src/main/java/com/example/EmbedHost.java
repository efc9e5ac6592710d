package com.example;

import io.grpc.ManagedChannelBuilder;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.HashMap;
import java.util.concurrent.TimeUnit;

/** Embeds a host for DurableTask SDKs, with a task hub of its own, and asks it whether it serves. */
public final class EmbedHost {
    private EmbedHost() {}

    public static void main(String[] arguments) throws InterruptedException {
        var environment = new HashMap<>(System.getenv());
        environment.put("COSMOS_CONTAINER", "durabletask");
        var config = CosmosStoreConfig.fromEnvironment(environment);
        CosmosStore.provision(config);
        try (var provider =
                        CosmosProvider.builder().config(config).dropOrphanEvents(true).build();
                var host = DurableTaskHost.start(provider, HostConfig.local(0))) {
            var channel = ManagedChannelBuilder.forAddress("127.0.0.1", host.port()).usePlaintext().build();
            var health = HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .check(HealthCheckRequest.getDefaultInstance());
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            System.out.println("host: " + health.getStatus());
        }
    }
}
