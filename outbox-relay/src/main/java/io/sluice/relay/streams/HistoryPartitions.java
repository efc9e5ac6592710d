package io.sluice.relay.streams;

import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.TopicAdmin;
import io.sluice.relay.ops.Topics;

/**
 * The number of partitions of the history topic. It never changes, as the order of events depends on it, so Kafka is
 * asked once. Thread-safe.
 */
final class HistoryPartitions {
    private final KafkaAccess kafka;
    private final Topics topics;
    private int known;

    HistoryPartitions(KafkaAccess kafka, Topics topics) {
        this.kafka = kafka;
        this.topics = topics;
    }

    /** @throws io.sluice.relay.ops.PrerequisiteException when Kafka does not say */
    synchronized int count() {
        if (known == 0) {
            try (var admin = kafka.admin()) {
                known = new TopicAdmin(admin, kafka, topics).partitions(topics.history());
            }
        }
        return known;
    }
}
