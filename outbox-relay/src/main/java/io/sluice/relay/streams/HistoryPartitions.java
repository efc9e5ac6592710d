package io.sluice.relay.streams;

import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.TopicAdmin;
import io.sluice.relay.ops.Topics;

/** How many partitions the history has. Asked of Kafka once: the order of a history rests on it, so it never changes. Thread-safe. */
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
