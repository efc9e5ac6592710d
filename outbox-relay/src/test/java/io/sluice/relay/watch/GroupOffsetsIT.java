package io.sluice.relay.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.ops.KafkaAccess;
import io.sluice.testkit.KafkaCluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
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
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.empty())))
                    .all()
                    .get();
            send(topic, 3);
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
        }

        var offsets = new GroupOffsets(kafka, cluster.prefix() + "-group", topic).now();

        assertThat(offsets).containsExactly(Map.entry(0, new GroupLag.Offset(2, 3)));
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
