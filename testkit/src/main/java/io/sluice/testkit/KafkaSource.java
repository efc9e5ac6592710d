package io.sluice.testkit;

import java.util.Map;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** Decides which Kafka a test run uses. */
sealed interface KafkaSource {
    String BOOTSTRAP_SERVERS = "KAFKA_BOOTSTRAP_SERVERS";

    /** Connects to it or starts it. */
    KafkaBackend open();

    /** The cluster that {@value #BOOTSTRAP_SERVERS} names, else the one of {@link LocalBackend}. */
    static KafkaSource firstAvailable(Map<String, String> environment) {
        String servers = environment.getOrDefault(BOOTSTRAP_SERVERS, "").strip();
        LocalBackend local = LocalBackend.chosenBy(environment);
        if (!servers.isEmpty()) {
            return new Cluster(servers);
        }
        return switch (local) {
            case EMBEDDED -> new Embedded();
            case DOCKER -> new Docker();
        };
    }

    /** A cluster that exists already; it is not stopped. */
    record Cluster(String bootstrapServers) implements KafkaSource {
        @Override
        public KafkaBackend open() {
            return new KafkaBackend(bootstrapServers, () -> {});
        }
    }

    /** Apache's own image, of the embedded broker's version. */
    record Docker() implements KafkaSource {
        private static final DockerImageName IMAGE = DockerImageName.parse("apache/kafka:4.4.0");

        @Override
        public KafkaBackend open() {
            DockerEngine.require("a Kafka broker");
            KafkaContainer container = new KafkaContainer(IMAGE).withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
            container.start();
            return new KafkaBackend(container.getBootstrapServers(), container::stop);
        }
    }

    /** A broker in this JVM. */
    record Embedded() implements KafkaSource {
        @Override
        public KafkaBackend open() {
            EmbeddedKafka kafka = EmbeddedKafka.start();
            return new KafkaBackend(kafka.bootstrapServers(), kafka::close);
        }
    }
}
