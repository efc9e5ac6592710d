package io.sluice.examples.servers;

import java.util.HashMap;
import java.util.Map;

/** A database and Kafka topics for one run of an example, dropped at its end. */
public final class Servers implements AutoCloseable {
    private final RunDatabase cosmos;
    private final RunTopics kafka;

    private Servers(RunDatabase cosmos, RunTopics kafka) {
        this.cosmos = cosmos;
        this.kafka = kafka;
    }

    /**
     * Opens both, or neither.
     *
     * @param environment may name an account ({@code COSMOS_ENDPOINT}, {@code COSMOS_KEY}) and a Kafka
     *     ({@code KAFKA_BOOTSTRAP_SERVERS})
     * @param runName names the database and begins the names of the topics
     * @param keep leaves database and topics of an account and a Kafka in place
     */
    public static Servers open(Map<String, String> environment, String runName, boolean keep) {
        RunDatabase cosmos = RunDatabase.open(environment, runName, keep);
        try {
            return new Servers(cosmos, RunTopics.open(environment, runName, keep));
        } catch (RuntimeException e) {
            cosmos.close();
            throw e;
        }
    }

    /** The store. */
    public RunDatabase cosmos() {
        return cosmos;
    }

    /** The brokers. */
    public RunTopics kafka() {
        return kafka;
    }

    /** The variables by which a relay, or another process, finds both. */
    public Map<String, String> settings() {
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
