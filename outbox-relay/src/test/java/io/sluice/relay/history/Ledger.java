package io.sluice.relay.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaTopics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What a plain consumer of committed records sees in the history topic (one partition). */
final class Ledger {
    private final KafkaAccess kafka;
    private final Topics topics;

    Ledger(KafkaAccess kafka, Topics topics) {
        this.kafka = kafka;
        this.topics = topics;
    }

    void makeTopics(Admin admin, int ranges) throws Exception {
        var positions =
                new NewTopic(topics.positions(), ranges, (short) 1).configs(Map.of("cleanup.policy", "compact"));
        KafkaTopics.create(admin, positions, new NewTopic(topics.history(), 1, (short) 1));
    }

    /** Deletes the history topic and makes another one of its name. */
    void makeHistoryAgain(Admin admin) throws Exception {
        var topic = List.of(topics.history());
        var former = new TopicReader(admin).id(topics.history());
        admin.deleteTopics(topic).all().get();
        await().ignoreExceptions().until(() -> {
            KafkaTopics.create(admin, new NewTopic(topics.history(), 1, (short) 1));
            return true;
        });
        await("all brokers know the new one")
                .until(() -> !new TopicReader(admin).id(topics.history()).equals(former));
    }

    void publishSomething() throws Exception {
        try (var producer = kafka.transactional(topics.prefix() + "-stranger")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topics.history(), new byte[0], new byte[0]))
                    .get();
            producer.commitTransaction();
        }
    }

    /** The {@code ce_id} of every event, in log order. */
    List<String> eventIds() {
        return CommittedRecords.of(kafka, topics.history()).stream()
                .map(message -> new String(message.headers().lastHeader("ce_id").value(), UTF_8))
                .toList();
    }
}
