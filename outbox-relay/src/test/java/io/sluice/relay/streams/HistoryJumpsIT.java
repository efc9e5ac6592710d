package io.sluice.relay.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the consumers of the streams note about parts of the history that they could not read. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryJumpsIT {
    private static final Duration POLL = Duration.ofMillis(100);

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private TopicPartition history;
    private HistoryJumps jumps;

    @BeforeEach
    void makeTopic() throws Exception {
        history = new TopicPartition(kafka.prefix() + ".history", 0);
        jumps = new HistoryJumps(history.topic());
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            KafkaTopics.create(admin, new NewTopic(history.topic(), 1, (short) 1));
        }
    }

    @Test
    void the_first_record_that_is_read_without_a_known_place_is_behind_a_jump() throws Exception {
        write(1);
        try (var consumer = consumer()) {
            meetJump(consumer);
            long first = readFrom(consumer);

            assertThat(jumps.takeAt(0, first)).isTrue();
        }
    }

    /** Its task was closed before it was initialised, so that nothing but the consumer can forget. */
    @Test
    void a_jump_in_a_partition_that_was_given_away_is_forgotten_when_it_comes_back() throws Exception {
        try (var consumer = consumer()) {
            meetJump(consumer);
            consumer.unsubscribe();
            write(3);
            commit(2);

            subscribe(consumer);
            long first = readFrom(consumer);

            assertThat(first).isEqualTo(2);
            assertThat(jumps.takeAt(0, first))
                    .as("read where the other one had ended")
                    .isFalse();
            assertThat(jumps.takeAtEnd(0)).isFalse();
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        var consumer = new StreamsClients(jumps)
                .getConsumer(Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "group.id",
                        kafka.prefix() + "-streams",
                        "auto.offset.reset",
                        "none",
                        "enable.auto.commit",
                        false));
        subscribe(consumer);
        return consumer;
    }

    private void subscribe(Consumer<byte[], byte[]> consumer) {
        consumer.subscribe(List.of(history.topic()), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
        });
    }

    /** Goes to the beginning after it, as the streams do. */
    private void meetJump(Consumer<byte[], byte[]> consumer) {
        await("no offset was committed").until(() -> {
            try {
                consumer.poll(POLL);
                return false;
            } catch (InvalidOffsetException e) {
                consumer.seekToBeginning(e.partitions());
                return true;
            }
        });
    }

    private long readFrom(Consumer<byte[], byte[]> consumer) {
        var offsets = new ArrayList<Long>();
        await("records").until(() -> {
            consumer.poll(POLL).forEach(message -> offsets.add(message.offset()));
            return !offsets.isEmpty();
        });
        return offsets.get(0);
    }

    private void write(int records) throws ExecutionException, InterruptedException {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(history.topic(), new byte[] {(byte) i}))
                        .get();
            }
        }
    }

    /** As another member of the group that had the partition meanwhile. */
    private void commit(long offset) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.alterConsumerGroupOffsets(kafka.prefix() + "-streams", Map.of(history, new OffsetAndMetadata(offset)))
                    .all()
                    .get();
        }
    }
}
