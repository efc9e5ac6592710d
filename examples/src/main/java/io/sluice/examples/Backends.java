package io.sluice.examples;

import java.util.HashMap;
import java.util.Map;

/** The store and the Kafka of a run. */
final class Backends implements AutoCloseable {
    private final CosmosPlace cosmos;
    private final KafkaPlace kafka;

    private Backends(CosmosPlace cosmos, KafkaPlace kafka) {
        this.cosmos = cosmos;
        this.kafka = kafka;
    }

    /** Opens both, or neither. */
    static Backends open(DemoConfig config, Map<String, String> environment, String runName) {
        CosmosPlace cosmos = CosmosPlace.open(environment, runName, config.keep());
        try {
            return new Backends(cosmos, KafkaPlace.open(environment, runName, config.keep()));
        } catch (RuntimeException e) {
            cosmos.close();
            throw e;
        }
    }

    CosmosPlace cosmos() {
        return cosmos;
    }

    KafkaPlace kafka() {
        return kafka;
    }

    /** What a relay needs to find them. */
    Map<String, String> relaySettings() {
        Map<String, String> settings = new HashMap<>(cosmos.settings());
        settings.put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        settings.put("SLUICE_PREFIX", kafka.prefix());
        return settings;
    }

    @Override
    public void close() {
        try (cosmos) {
            kafka.close();
        }
    }
}
