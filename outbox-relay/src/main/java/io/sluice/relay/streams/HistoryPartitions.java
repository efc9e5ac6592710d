package io.sluice.relay.streams;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;

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

    /** @throws io.sluice.program.PrerequisiteException when Kafka does not say */
    synchronized int count() {
        if (known == 0) {
            try (var admin = kafka.admin()) {
                known = new TopicReader(admin).partitions(topics.history());
            }
        }
        return known;
    }
}
