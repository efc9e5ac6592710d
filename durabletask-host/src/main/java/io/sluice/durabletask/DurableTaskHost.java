package io.sluice.durabletask;

import io.grpc.Context;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.sluice.durabletask.access.Access;
import io.sluice.durabletask.dispatch.DaemonThreads;
import io.sluice.durabletask.grpc.CallConnection;
import io.sluice.durabletask.grpc.DeepAnswers;
import io.sluice.durabletask.grpc.MessageGate;
import io.sluice.durabletask.grpc.SidecarService;
import io.sluice.durabletask.hub.TaskHub;
import io.sluice.durabletask.worker.Connection;
import io.sluice.provider.cosmos.CosmosProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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
    /** Purges at the same time are so many times fewer than calls: one may wait for a relay for half a minute. */
    private static final int PURGES = 4;

    private static final long IDLE_SECONDS = 60;
    private static final long LEAST_KEEP_ALIVE_SECONDS = 5;

    private static final Context.Key<TaskHub> CURRENT_HUB = Context.key("taskhub");

    private final Map<String, TaskHub> hubs = new LinkedHashMap<>();
    private final ScheduledExecutorService timer = timer();
    private final HealthStatusManager health = new HealthStatusManager();
    private final ExecutorService calls;
    private final ExecutorService purges;
    private final Server server;

    private DurableTaskHost(Map<String, CosmosProvider> stores, HostConfig config)
            throws IOException, GeneralSecurityException {
        // Before the hubs: what a fault of the certificates leaves behind has begun nothing.
        ServerCredentials credentials = Credentials.of(config.tls(), timer);
        stores.forEach((name, provider) -> hubs.put(name, new TaskHub(name, provider, config.hub(), config.meters())));
        this.calls = threads(config.callThreads(), "durabletask-calls");
        this.purges = threads(Math.max(1, config.callThreads() / PURGES), "durabletask-purges");
        MessageGate gate = new MessageGate(config.messages(), timer);
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(config.address(), config.port()), credentials)
                .executor(calls)
                .maxInboundMessageSize(config.messages().largestBytes())
                .permitKeepAliveTime(LEAST_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(config.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(config.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .addService(ServerInterceptors.intercept(
                        gate.before(DeepAnswers.of(new SidecarService(CURRENT_HUB::get, purges))),
                        new CallConnection(),
                        new Access<>(CURRENT_HUB, hubs, config.tokens(), timer)))
                .addTransportFilter(Connection.filter())
                .addService(gate.before(health.getHealthService()))
                .addService(gate.before(ProtoReflectionServiceV1.newInstance()))
                .build();
    }

    /** For certificates, tokens and calls that their callers don't end. */
    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, DaemonThreads.named("durabletask-credentials"), new ThreadPoolExecutor.DiscardPolicy());
        // Of calls that have ended nothing stays.
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Waiting clients and workers' streams hold none of these threads. */
    private static ExecutorService threads(int threads, String name) {
        ThreadPoolExecutor calls = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.named(name));
        calls.allowCoreThreadTimeOut(true);
        return calls;
    }

    /**
     * Starts a host of one task hub, named {@code default}.
     *
     * @param provider stays the caller's to close, after the host
     * @throws HostException when the port can't be opened, or the certificates can't be read
     */
    public static DurableTaskHost start(CosmosProvider provider, HostConfig config) {
        return start(Map.of("default", provider), config);
    }

    /**
     * Starts a host of several task hubs.
     *
     * @param stores the providers by the name of their task hub; they stay the caller's to close, after the host
     * @throws HostException when the port can't be opened, or the certificates can't be read
     */
    public static DurableTaskHost start(Map<String, CosmosProvider> stores, HostConfig config) {
        try {
            DurableTaskHost host = new DurableTaskHost(stores, config);
            host.open(config);
            return host;
        } catch (IOException | GeneralSecurityException e) {
            throw new HostException("the certificates can't be read: " + e.getMessage(), e);
        }
    }

    private void open(HostConfig config) {
        try {
            server.start();
            health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, ServingStatus.SERVING);
        } catch (IOException e) {
            close();
            throw new HostException(
                    "port " + config.port() + " of " + config.address() + " can't be opened: " + e.getMessage(), e);
        }
    }

    /** The port that was opened. */
    public int port() {
        return server.getPort();
    }

    /** The task hubs that it serves, by name. */
    public Map<String, TaskHub> hubs() {
        return Map.copyOf(hubs);
    }

    /**
     * Reasons why it should get no calls; empty when it is ready. It is ready while the store of one task hub, or a
     * part of it, takes calls: others keep failing at every host.
     */
    public List<String> faults() {
        if (server.isShutdown()) {
            return List.of("the host closes");
        }
        List<String> away =
                hubs.values().stream().flatMap(hub -> hub.storeFault().stream()).toList();
        return away.size() == hubs.size() ? away : List.of();
    }

    /** What it does, for operators. */
    public Map<String, Object> status() {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("ready", faults().isEmpty());
        status.put(
                "problems",
                hubs.values().stream().flatMap(hub -> hub.problems().stream()).toList());
        hubs.forEach((name, hub) -> status.put(name, hub.status()));
        return status;
    }

    /** Waits until the host is closed. */
    public void awaitEnd() throws InterruptedException {
        server.awaitTermination();
    }

    /**
     * Ends the host: no more calls are taken, workers' streams end and what they hold is given back. Waits up
     * to ten seconds for calls that run.
     */
    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        hubs.values().forEach(TaskHub::close);
        try {
            if (!server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        calls.shutdown();
        purges.shutdown();
        timer.shutdownNow();
    }
}
