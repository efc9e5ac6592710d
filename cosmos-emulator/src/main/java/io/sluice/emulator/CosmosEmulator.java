package io.sluice.emulator;

import io.sluice.emulator.http.EmulatorServer;
import io.sluice.emulator.http.RequestInterceptor;
import io.sluice.emulator.http.ServerSettings;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.VersionRetention;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A running Cosmos DB account on loopback. {@link JavaClients} makes clients of the Java SDK for it; those of other
 * languages take {@link #endpoint()} and {@link #key()}. Thread-safe.
 */
public final class CosmosEmulator implements AutoCloseable {
    private final EmulatorConfig config;
    private final AdjustableClock clock;
    private final Account account;
    private final EmulatorServer server;
    private final RequestLog requests;
    private final Faults faults;
    private final PhysicalPartitions partitions;
    private final AtomicBoolean closed = new AtomicBoolean();

    private CosmosEmulator(EmulatorConfig config, AdjustableClock clock, Account account) {
        this.config = config;
        this.clock = clock;
        this.account = account;
        this.requests = new RequestLog();
        this.faults = new Faults();
        this.partitions = new PhysicalPartitions(account);
        var settings = new ServerSettings(
                config.listenAddress(),
                config.port(),
                config.regions(),
                config.certificate(),
                config.key(),
                config.multipleWriteRegions(),
                config.containerThroughput(),
                config.continuousBackup(),
                config.plainHttp2(),
                clock);
        this.server = EmulatorServer.start(settings, account, new LoggingInterceptor());
    }

    /**
     * Starts an emulator, and returns when it serves requests.
     *
     * @throws IllegalStateException when the port is taken, or the folder is in use or damaged
     */
    public static CosmosEmulator start(EmulatorConfig config) {
        var clock = new AdjustableClock(config.clock());
        var account = account(config, clock);
        try {
            return new CosmosEmulator(config, clock, account);
        } catch (RuntimeException e) {
            account.close();
            throw e;
        }
    }

    private static Account account(EmulatorConfig config, AdjustableClock clock) {
        var folder = config.folder();
        var versions = new VersionRetention(config.continuousBackup());
        return folder != null && config.forcedWrites()
                ? Account.openForced(folder, config.physicalPartitions(), versions, clock)
                : Account.open(folder, config.physicalPartitions(), versions, clock);
    }

    /** The URL of its first region, as seen from this machine: {@code http://127.0.0.1:<port>/}, or {@code https}. */
    public String endpoint() {
        return server.topology().endpoint(config.regions().get(0));
    }

    /** The address of its ports. */
    String listenAddress() {
        return config.listenAddress();
    }

    /** Its regions, their endpoints, and which of them take writes. */
    public Topology topology() {
        return server.topology();
    }

    /** Its certificate as PEM, for clients to trust; null when it speaks plain HTTP. */
    public @Nullable String certificate() {
        var certificate = config.certificate();
        return certificate == null ? null : certificate.chainPem();
    }

    /** Sets the clock ahead of the configured one by a positive offset, or back by a negative one. */
    public void setClockOffset(Duration offset) {
        clock.setOffset(offset);
    }

    /** The account's master key. */
    public String key() {
        return config.key();
    }

    /** The requests it has received, with their responses. */
    public RequestLog requests() {
        return requests;
    }

    /** Faults that a test may inject. */
    public Faults faults() {
        return faults;
    }

    /** How far its regions are behind each other. */
    public Replication replication() {
        return server.replication();
    }

    /**
     * Notes what a container holds now, so that it can be restored to it.
     *
     * @throws IllegalArgumentException when there is no such container
     */
    public RestorePoint restorePoint(String database, String container) {
        return RestorePoint.of(account, database, container);
    }

    /** The physical partitions of its containers, to inspect, split and merge. */
    public PhysicalPartitions partitions() {
        return partitions;
    }

    /** Removes expired items and old versions now; it happens every ten seconds anyway. */
    public void sweep() {
        Uninterrupted.run(account::sweep);
    }

    /** Stops serving requests, and writes everything to the folder. May be called twice. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Uninterrupted.run(this::closeAll);
        }
    }

    private void closeAll() {
        try {
            server.close();
        } finally {
            account.close();
        }
    }

    /** Injects the faults that were asked for, and keeps the log. */
    private final class LoggingInterceptor implements RequestInterceptor {
        @Override
        public Action intercept(LoggedRequest request) {
            return faults.decide(request);
        }

        @Override
        public void record(LoggedRequest request) {
            requests.add(request);
        }
    }
}
