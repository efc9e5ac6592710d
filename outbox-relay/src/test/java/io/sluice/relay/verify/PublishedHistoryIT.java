package io.sluice.relay.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.event.EventId;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A topic that loses records while it is read. */
class PublishedHistoryIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final int INSTANCES = 50;
    private static final int RECORDS = 20_000;
    private static final int REMOVED = 15_000;
    private static final byte[] VALUE = "x".repeat(200).getBytes(UTF_8);

    @TempDir
    Path work;

    private final KafkaAccess access = new KafkaAccess(kafka.bootstrapServers(), Map.of());

    @Test
    void what_retention_takes_ahead_of_the_reader_is_unknown() throws Exception {
        var topic = kafka.prefix() + ".history";
        var tally = new Tally(3);
        try (Admin admin = access.admin();
                var index = EventIndex.in(work)) {
            KafkaTopics.create(admin, new NewTopic(topic, 1, (short) 1));
            fill(topic, index);
            var retention =
                    new PublishedHistory(access, admin, topic).read(1, null, new Trimming(admin, topic, index, tally));

            index.forEach(new InstanceJudge(
                    retention.beginningWith(0), tally, event -> tally.found(Finding.lost(event)))::judge);
        }

        var report = tally.report();
        assertThat(report.isExact()).as(report.lines().toString()).isTrue();
        assertThat(report.counts().published())
                .as("not all of it was read")
                .isBetween(RECORDS - REMOVED + 0L, RECORDS - 1L);
        assertThat(report.counts().unknown()).isPositive();
    }

    private void fill(String topic, EventIndex index) throws Exception {
        try (Producer<byte[], byte[]> producer = access.idempotent(topic)) {
            for (int i = 0; i < RECORDS; i++) {
                var id = new EventId("i" + i % INSTANCES, 1, 1 + i / INSTANCES, 5);
                var message = new ProducerRecord<>(topic, 0, id.instance().getBytes(UTF_8), VALUE);
                message.headers().add("ce_id", id.toString().getBytes(UTF_8));
                var unused = producer.send(message);
                index.putStored(new StoredEntry(id, System.currentTimeMillis() / 1_000, Digest.of(VALUE)));
            }
            producer.flush();
        }
    }

    /** Removes most of the topic at the first record. */
    private record Trimming(Admin admin, String topic, EventIndex index, Tally tally)
            implements PublishedHistory.Reader {
        @Override
        public void take(PublishedEntry entry) {
            if (entry.offset() == 0) {
                try {
                    admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(REMOVED)))
                            .all()
                            .get();
                } catch (InterruptedException | ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            }
            tally.published();
            index.putPublished(entry);
        }

        @Override
        public void found(Finding finding) {
            tally.found(finding);
        }
    }
}
