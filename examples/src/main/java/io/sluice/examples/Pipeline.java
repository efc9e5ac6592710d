package io.sluice.examples;

import io.sluice.examples.servers.RelayFleet;
import io.sluice.examples.servers.RunDatabase;
import io.sluice.examples.servers.RunTopics;
import io.sluice.examples.servers.Servers;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Everything that runs: store, Kafka, relays, and a dispatcher. Opened in this order, closed in the opposite one. */
final class Pipeline implements AutoCloseable {
    private static final int RELAYS = 2;

    private final Servers servers;
    private final RelayFleet relays;
    private final EmbeddedDispatcher dispatcher;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Pipeline(Servers servers, RelayFleet relays) {
        this.servers = servers;
        this.relays = relays;
        this.dispatcher = new EmbeddedDispatcher(servers.cosmos().store());
    }

    /** Opens everything and waits until the relays have created their topics. */
    static Pipeline open(DemoConfig config, Map<String, String> environment, String runName) {
        Servers servers = Servers.open(environment, runName, config.keep());
        try {
            Pipeline pipeline = new Pipeline(servers, RelayFleet.start(RELAYS, servers));
            pipeline.dispatcher.start();
            return pipeline;
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

    RelayFleet relays() {
        return relays;
    }

    EmbeddedDispatcher dispatcher() {
        return dispatcher;
    }

    /** Closing again does nothing. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try (servers;
                relays) {
            dispatcher.close();
        }
    }
}
