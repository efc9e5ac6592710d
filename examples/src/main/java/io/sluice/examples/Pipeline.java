package io.sluice.examples;

import io.sluice.examples.orders.Warehouse;
import io.sluice.examples.servers.ProcessFleet;
import io.sluice.examples.servers.RelayFleet;
import io.sluice.examples.servers.RunDatabase;
import io.sluice.examples.servers.RunTopics;
import io.sluice.examples.servers.Servers;
import io.sluice.provider.Provider;
import io.sluice.provider.cosmos.CosmosProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** Everything that runs: store, Kafka, relays and runtimes. Opened in this order, closed in the opposite one. */
final class Pipeline implements AutoCloseable {
    static final int RELAYS = 2;
    static final int RUNTIMES = 2;

    private final Servers servers;
    private final ProcessFleet relays;
    private final ProcessFleet runtimes;
    private final Path warehouse;
    private final CosmosProvider provider;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** An interrupted run, too, leaves no process, no folder and no database behind. */
    private final Thread closer = new Thread(this::close, "sluice-demo-closer");

    private Pipeline(Servers servers, ProcessFleet relays, ProcessFleet runtimes, Path warehouse) {
        this.servers = servers;
        this.relays = relays;
        this.runtimes = runtimes;
        this.warehouse = warehouse;
        this.provider = CosmosProvider.builder().store(servers.cosmos().store()).build();
    }

    /**
     * Opens everything and waits until all of it works.
     *
     * @param dispatched whether relays announce work in Kafka; else runtimes query the store for it
     */
    static Pipeline open(DemoConfig config, Map<String, String> environment, String runName, boolean dispatched) {
        Servers servers = Servers.open(environment, runName, config.keep());
        try {
            ProcessFleet relays =
                    RelayFleet.start(RELAYS, servers, Map.of("SLUICE_DISPATCH_ENABLED", Boolean.toString(dispatched)));
            try {
                Path warehouse = ProcessFleet.FOLDER.resolve("warehouse-" + runName);
                Pipeline pipeline = new Pipeline(
                        servers, relays, OrderRuntime.start(RUNTIMES, servers, warehouse, dispatched), warehouse);
                Runtime.getRuntime().addShutdownHook(pipeline.closer);
                return pipeline;
            } catch (RuntimeException e) {
                relays.close();
                throw e;
            }
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    RunDatabase cosmos() {
        return servers.cosmos();
    }

    RunTopics kafka() {
        return servers.kafka();
    }

    ProcessFleet relays() {
        return relays;
    }

    ProcessFleet runtimes() {
        return runtimes;
    }

    Warehouse warehouse() {
        return new Warehouse(warehouse);
    }

    /** Reads what is in the store. */
    Provider provider() {
        return provider;
    }

    /** Fails when a process has ended by itself. */
    void requireAlive() {
        relays.requireAlive();
        runtimes.requireAlive();
    }

    /** Closing again does nothing. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try (servers;
                relays;
                provider) {
            runtimes.close();
            deleteWarehouse();
        } finally {
            removeCloser();
        }
    }

    private void removeCloser() {
        if (!Thread.currentThread().equals(closer)) {
            try {
                Runtime.getRuntime().removeShutdownHook(closer);
            } catch (IllegalStateException e) {
                // The virtual machine is going down already; the hook then finds everything closed.
            }
        }
    }

    private void deleteWarehouse() {
        if (!Files.exists(warehouse)) {
            return;
        }
        try (Stream<Path> files = Files.walk(warehouse)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the folder " + warehouse + " could not be deleted", e);
        }
    }
}
