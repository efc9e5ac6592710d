package io.sluice.relay.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GroupOffsetsIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    @Test
    void records_that_expired_before_the_group_came_wait_for_nobody() throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var topic = cluster.prefix() + ".expired";
        try (var admin = kafka.admin()) {
            KafkaTopics.create(admin, new NewTopic(topic, Optional.of(1), Optional.empty()));
            send(topic, 3);
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
        }

        var offsets = new GroupOffsets(kafka, cluster.prefix() + "-group", topic).now();

        assertThat(offsets).isEqualTo(new GroupLag.Answer(Map.of(0, new GroupLag.Offset(2, 3)), Set.of()));
    }

    @Test
    void an_aborted_transaction_at_the_end_waits_for_nobody_and_what_follows_it_does() throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var topic = cluster.prefix() + ".aborted";
        var group = cluster.prefix() + "-group";
        var partition = new TopicPartition(topic, 0);
        try (var admin = kafka.admin();
                var lag = new GroupLag(
                        "test", new GroupOffsets(kafka, group, topic), InstantSource.system(), Duration.ZERO)) {
            KafkaTopics.create(admin, new NewTopic(topic, Optional.of(1), Optional.empty()));
            send(topic, 3);
            abort(kafka, topic);
            // As a group that was started again: it commits with the next record that it takes.
            admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(3)))
                    .all()
                    .get();

            lag.step();
            lag.step();
            assertThat(lag.latest()).isEqualTo(new GroupLag.Measurement(0, Duration.ZERO));

            send(topic, 1);
            lag.step();
            lag.step();
            assertThat(lag.latest().records()).isEqualTo(1);
            assertThat(lag.latest().standing()).isPositive();

            admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(6)))
                    .all()
                    .get();
            lag.step();
            assertThat(lag.latest()).isEqualTo(new GroupLag.Measurement(0, Duration.ZERO));
        }
    }

    /** One record and the marker that ends it. */
    private static void abort(KafkaAccess kafka, String topic) throws Exception {
        try (var producer = kafka.transactional(topic + "-sender", topic)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, "never".getBytes(StandardCharsets.UTF_8)))
                    .get();
            producer.abortTransaction();
        }
    }

    private static void send(String topic, int count) throws Exception {
        var settings = Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(topic, "record".getBytes(StandardCharsets.UTF_8)))
                        .get();
            }
        }
    }
}
