package io.sluice.examples;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Everything that runs: store, Kafka, relays, and a dispatcher. Opened in this order, closed in the opposite one. */
final class Pipeline implements AutoCloseable {
    private static final int RELAYS = 2;
    private static final Duration RELAY_START = Duration.ofSeconds(40);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final List<String> TOPICS = List.of("history", "commands", "dead-letters");

    private final Backends backends;
    private final RelayFleet relays;
    private final EmbeddedDispatcher dispatcher;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Pipeline(Backends backends, RelayFleet relays) {
        this.backends = backends;
        this.relays = relays;
        this.dispatcher = new EmbeddedDispatcher(backends.cosmos().store());
    }

    /** Opens everything and waits until the relays have made their topics. */
    static Pipeline open(DemoConfig config, Map<String, String> environment, String runName) {
        Backends backends = Backends.open(config, environment, runName);
        RelayFleet relays = new RelayFleet(config.relayJar(), config.workFolder(), backends.relaySettings());
        Pipeline pipeline = new Pipeline(backends, relays);
        try {
            pipeline.start();
            return pipeline;
        } catch (RuntimeException e) {
            pipeline.close();
            throw e;
        }
    }

    CosmosPlace cosmos() {
        return backends.cosmos();
    }

    KafkaPlace kafka() {
        return backends.kafka();
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
        try (backends;
                relays) {
            dispatcher.close();
        }
    }

    private void start() {
        for (int i = 0; i < RELAYS; i++) {
            relays.startOne();
        }
        dispatcher.start();
        long deadline = System.nanoTime() + RELAY_START.toNanos();
        while (!kafka().hasTopics(TOPICS)) {
            relays.requireAlive();
            if (System.nanoTime() > deadline) {
                throw new DemoException("the relays have not made their topics within " + RELAY_START.toSeconds()
                        + " s; their logs tell why");
            }
            Pause.of(LOOK);
        }
    }
}
