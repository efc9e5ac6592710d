package io.sluice.durabletask.conformance;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.hub.TaskHub;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.ArrayDeque;
import java.util.Deque;

/** A host of one task hub in this process, with the connections that a test opens to it. Not thread-safe. */
final class OpenHost implements AutoCloseable {
    private static final int MAX_INBOUND = 64 * 1024 * 1024;

    private final CosmosProvider provider;
    private final DurableTaskHost host;
    private final Deque<ScriptedWorker> workers = new ArrayDeque<>();
    private final ManagedChannel channel;

    private OpenHost(CosmosProvider provider, DurableTaskHost host) {
        this.provider = provider;
        this.host = host;
        this.channel = channel(host.port());
    }

    static OpenHost start(CosmosStoreConfig store, HostConfig config) {
        CosmosProvider provider =
                CosmosProvider.builder().config(store).dropOrphanEvents(true).build();
        return new OpenHost(provider, DurableTaskHost.start(provider, config));
    }

    /** A connection in plain text; the caller's to close. */
    static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .maxInboundMessageSize(MAX_INBOUND)
                .build();
    }

    DurableTaskHost host() {
        return host;
    }

    /** The only task hub. */
    TaskHub hub() {
        return host.hubs().values().iterator().next();
    }

    CosmosProvider provider() {
        return provider;
    }

    HubClient client() {
        return new HubClient(channel);
    }

    /** A worker that is not connected yet. */
    ScriptedWorker worker() {
        return worker(host.port());
    }

    /** A worker that reaches the host through a port of somebody else's. */
    ScriptedWorker worker(int port) {
        ScriptedWorker worker = new ScriptedWorker(channel(port));
        workers.push(worker);
        return worker;
    }

    void closeWorkers() {
        workers.forEach(ScriptedWorker::close);
        workers.clear();
    }

    @Override
    public void close() {
        closeWorkers();
        channel.shutdownNow();
        host.close();
        provider.close();
    }
}
