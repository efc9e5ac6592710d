package io.sluice.examples.quickstart;

import java.util.Optional;

/** Where Kafka is. */
final class LocalServers {
    private LocalServers() {}

    /** {@code KAFKA_BOOTSTRAP_SERVERS}, else {@code 127.0.0.1:9092}. */
    static String bootstrap() {
        return Optional.ofNullable(System.getenv("KAFKA_BOOTSTRAP_SERVERS")).orElse("127.0.0.1:9092");
    }
}
