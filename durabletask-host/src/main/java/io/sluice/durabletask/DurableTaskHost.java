package io.sluice.durabletask;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.sluice.durabletask.dispatch.DaemonThreads;
import io.sluice.durabletask.grpc.SidecarService;
import io.sluice.durabletask.hub.TaskHub;
import io.sluice.provider.cosmos.CosmosProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Hosts orchestrations of SDKs that speak the DurableTask protocol: a gRPC server over a provider. Thread-safe.
 *
 * <pre>{@code
 * try (DurableTaskHost host = DurableTaskHost.start(provider, HostConfig.local(4001))) {
 *     host.awaitEnd();
 * }
 * }</pre>
 */
public final class DurableTaskHost implements AutoCloseable {
    private static final long DRAIN_SECONDS = 10;
    private static final long IDLE_SECONDS = 60;

    private final TaskHub hub;
    private final HealthStatusManager health = new HealthStatusManager();
    private final ExecutorService calls;
    private final Server server;

    private DurableTaskHost(CosmosProvider provider, HostConfig config) throws IOException {
        this.hub = new TaskHub(provider, config.hub());
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                config.callThreads(),
                config.callThreads(),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.named("durabletask-calls"));
        threads.allowCoreThreadTimeOut(true);
        this.calls = threads;
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(config.address(), config.port()))
                .executor(calls)
                .maxInboundMessageSize(config.maxInboundBytes())
                .permitKeepAliveTime(5, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(config.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(config.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .addService(new SidecarService(() -> hub))
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance())
                .build()
                .start();
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, ServingStatus.SERVING);
    }

    /**
     * Starts a host.
     *
     * @param provider stays the caller's to close, after the host
     * @throws HostException when the port can't be opened
     */
    public static DurableTaskHost start(CosmosProvider provider, HostConfig config) {
        try {
            return new DurableTaskHost(provider, config);
        } catch (IOException e) {
            throw new HostException(
                    "port " + config.port() + " of " + config.address() + " can't be opened: " + e.getMessage(), e);
        }
    }

    /** The port that was opened. */
    public int port() {
        return server.getPort();
    }

    /** The task hub that it serves. */
    public TaskHub hub() {
        return hub;
    }

    /** Waits until the host is closed. */
    public void awaitEnd() throws InterruptedException {
        server.awaitTermination();
    }

    /**
     * Ends the host: no more calls are taken, workers' streams end and what they have in hand is given back. Waits up
     * to ten seconds for calls that run.
     */
    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        hub.close();
        try {
            if (!server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        calls.shutdown();
    }
}
