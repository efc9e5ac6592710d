package io.sluice.emulator;

import io.sluice.emulator.http.EmulatorServer;
import io.sluice.emulator.http.ServerSettings;
import io.sluice.emulator.http.Traffic;
import io.sluice.emulator.store.Account;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running Cosmos DB account on loopback. Point a {@code CosmosClientBuilder} in gateway mode at {@link #endpoint()} with
 * {@link #key()}; since it speaks plain HTTP, the client's JVM needs the system property
 * {@code COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true}. Thread-safe.
 */
public final class CosmosEmulator implements AutoCloseable {
    private final EmulatorConfig config;
    private final Account account;
    private final EmulatorServer server;
    private final RequestLog requests;
    private final Faults faults;
    private final AtomicBoolean closed = new AtomicBoolean();

    private CosmosEmulator(EmulatorConfig config, Account account) {
        this.config = config;
        this.account = account;
        this.requests = new RequestLog();
        this.faults = new Faults();
        var settings = new ServerSettings(config.port(), config.key(), config.multipleWriteRegions(), config.clock());
        this.server = EmulatorServer.start(settings, account, new LoggedTraffic());
    }

    /**
     * Starts an emulator and returns when it takes requests.
     *
     * @throws IllegalStateException when the port is taken, or the folder in use or damaged
     */
    public static CosmosEmulator start(EmulatorConfig config) {
        var account = Account.open(config.folder(), config.physicalPartitions(), config.clock());
        try {
            return new CosmosEmulator(config, account);
        } catch (RuntimeException e) {
            account.close();
            throw e;
        }
    }

    /** Where it listens: {@code http://127.0.0.1:<port>/}. */
    public String endpoint() {
        return server.endpoint();
    }

    /** The account's master key. */
    public String key() {
        return config.key();
    }

    /** What it was asked, and what it answered. */
    public RequestLog requests() {
        return requests;
    }

    /** Faults to order. */
    public Faults faults() {
        return faults;
    }

    /** Stops taking requests, and writes what is not written yet. Closing twice is fine. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            server.close();
            account.close();
        }
    }

    /** The log and the faults, as the server sees them. */
    private final class LoggedTraffic implements Traffic {
        @Override
        public Verdict arriving(LoggedRequest request) {
            return faults.judge(request);
        }

        @Override
        public void answered(LoggedRequest request) {
            requests.add(request);
        }
    }
}
