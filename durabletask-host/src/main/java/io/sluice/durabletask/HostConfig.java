package io.sluice.durabletask;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.durabletask.access.TokenCheck;
import io.sluice.durabletask.grpc.MessageLimits;
import io.sluice.durabletask.hub.HubSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a host serves.
 *
 * @param address that it listens at
 * @param port 0 for any free one
 * @param tls null for plain text
 * @param tokens who may call; null for everybody who reaches the port
 * @param meters where the host counts
 * @param callThreads how many calls run at the same time; waiting clients and workers' streams take none
 * @param messages how large messages may be that calls bring
 * @param keepAlive how often a silent connection is tried
 */
public record HostConfig(
        String address,
        int port,
        @Nullable ServerTls tls,
        @Nullable TokenCheck tokens,
        MeterRegistry meters,
        int callThreads,
        MessageLimits messages,
        Duration keepAlive,
        HubSettings hub) {
    /** Where SDKs look for a host unless they are told otherwise. */
    public static final int DEFAULT_PORT = 4001;

    private static final int THREADS = 32;
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);
    private static final int MAX_PORT = 65_535;

    public HostConfig {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port must be 0 to " + MAX_PORT + ", was " + port);
        }
        if (callThreads < 1) {
            throw new IllegalArgumentException("callThreads must be at least 1, was " + callThreads);
        }
    }

    /** For this machine alone, in plain text, without tokens. */
    public static HostConfig local(int port) {
        return new HostConfig(
                "127.0.0.1",
                port,
                null,
                null,
                new CompositeMeterRegistry(),
                THREADS,
                MessageLimits.USUAL,
                KEEP_ALIVE,
                HubSettings.USUAL);
    }

    /** The same at this address. */
    public HostConfig withAddress(String newAddress) {
        return new HostConfig(newAddress, port, tls, tokens, meters, callThreads, messages, keepAlive, hub);
    }

    /** The same with these certificates. */
    public HostConfig withTls(@Nullable ServerTls certificates) {
        return new HostConfig(address, port, certificates, tokens, meters, callThreads, messages, keepAlive, hub);
    }

    /** The same for those who have one of these tokens. */
    public HostConfig withTokens(@Nullable TokenCheck check) {
        return new HostConfig(address, port, tls, check, meters, callThreads, messages, keepAlive, hub);
    }

    /** The same, counting here. */
    public HostConfig withMeters(MeterRegistry registry) {
        return new HostConfig(address, port, tls, tokens, registry, callThreads, messages, keepAlive, hub);
    }

    /** The same with so many threads. */
    public HostConfig withCallThreads(int threads) {
        return new HostConfig(address, port, tls, tokens, meters, threads, messages, keepAlive, hub);
    }

    /** The same with these limits of messages. */
    public HostConfig withMessages(MessageLimits limits) {
        return new HostConfig(address, port, tls, tokens, meters, callThreads, limits, keepAlive, hub);
    }

    /** The same with these settings of hubs. */
    public HostConfig withHub(HubSettings settings) {
        return new HostConfig(address, port, tls, tokens, meters, callThreads, messages, keepAlive, settings);
    }

    /** The same; a start replaces an instance of its id that has ended, unless the client says otherwise. */
    public HostConfig withStartReplacesEnded(boolean replaces) {
        return withHub(hub.withStartReplacesEnded(replaces));
    }

    /** The same; clients may delete all of a task hub's instances: for tests. */
    public HostConfig withCanBeEmptied(boolean can) {
        return withHub(hub.withCanBeEmptied(can));
    }
}
