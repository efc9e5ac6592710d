package io.sluice.relay.ledger;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.Opened;
import io.sluice.relay.ledger.audit.Arrivals;
import io.sluice.relay.ledger.load.EventWriter;
import io.sluice.relay.ledger.load.Store;
import io.sluice.relay.ledger.process.Replicas;
import io.sluice.testkit.BrokerCluster;
import java.util.Map;

/** Three brokers, two relays with streams, events that are written, and readers of what becomes of them. */
final class BrokerBed implements AutoCloseable {
    private final Opened opened = new Opened();
    private final BrokerCluster cluster;
    private final Replicas replicas;
    private final EventWriter writer;
    private final Arrivals history;
    private final Arrivals lifecycle;

    /**
     * Starts everything, and waits until it works.
     *
     * @param brokers what is unusual about them
     */
    BrokerBed(Map<String, String> brokers) throws Exception {
        try {
            var emulator = opened.add(CosmosEmulator.start(EmulatorConfig.inMemory()));
            cluster = opened.add(BrokerCluster.start(3, brokers));
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "brokers", "orders");
            CosmosStore.provision(config);
            replicas = opened.add(Replicas.start(config, cluster.bootstrapServers()));
            writer = opened.add(new EventWriter(opened.add(new Store(config))));
            history = opened.add(new Arrivals(cluster.bootstrapServers(), Replicas.HISTORY));
            lifecycle = opened.add(new Arrivals(cluster.bootstrapServers(), Replicas.LIFECYCLE));
            replicas.awaitRunning();
            history.start();
            lifecycle.start();
            writer.start();
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    BrokerCluster cluster() {
        return cluster;
    }

    Replicas replicas() {
        return replicas;
    }

    EventWriter writer() {
        return writer;
    }

    /** Who reads events. */
    Arrivals history() {
        return history;
    }

    /** Who reads facts. */
    Arrivals lifecycle() {
        return lifecycle;
    }

    @Override
    public void close() {
        opened.close();
    }
}
