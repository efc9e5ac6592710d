package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.command.parked.ParkedLog;
import io.sluice.relay.command.parked.ParkedRecord;
import io.sluice.relay.command.parse.OffsetNote;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicIds;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens between the reads of a member that gets a partition. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParkedTakeoverIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final long FLOOR = 4_000_000_000_000L;

    private final ScriptedConsumer consumer = new ScriptedConsumer();
    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private CommandTopics commands = new CommandTopics(kafka, topics);
    private TopicPartition partition = new TopicPartition("", 0);
    private Admin admin;
    private CommandPartitions partitions;
    private String topicId = "";

    @BeforeEach
    void open() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        commands = new CommandTopics(kafka, topics);
        commands.make(new NewTopic(topics.commands(), 1, (short) 1));
        partition = new TopicPartition(topics.commands(), 0);
        admin = kafka.admin();
        var ids = new TopicIds(admin, topics.commands());
        topicId = ids.current();
        var parked = new ParkedCommands(
                new ParkedLog(kafka, admin, topics), RelayMemory.ofHeap().parkedBytes(), InstantSource.system());
        partitions = new CommandPartitions(consumer, ids, parked, InstantSource.system());
        consumer.assign(List.of(partition));
    }

    @AfterEach
    void close() {
        admin.close();
    }

    private OffsetAndMetadata committed(long offset, long floor) {
        return new OffsetAndMetadata(offset, new OffsetNote(floor, topicId, 0).text());
    }

    private ParkedRecord command() {
        var json = "{\"type\":\"cancel\",\"instance\":\"a\",\"reason\":\"\"}";
        return new ParkedRecord(
                topicId,
                false,
                new ConsumerRecord<>(topics.commands(), 0, 0, "a".getBytes(UTF_8), json.getBytes(UTF_8)));
    }

    private void write(ProducerRecord<byte[], byte[]> message) {
        try {
            commands.send(List.of(message));
        } catch (Exception e) {
            throw new AssertionError("the owner before could not write", e);
        }
    }

    @Test
    void what_is_parked_with_the_offset_that_is_read_is_known() {
        consumer.answers.add(() -> {
            // This is the transaction that the request for the offset has waited for.
            write(command().toRecord(topics.parkedCommands()));
            return committed(1, FLOOR);
        });

        partitions.onPartitionsAssigned(List.of(partition));

        assertThat(partitions.parked().holds("a")).isTrue();
        assertThat(partitions.committed(partition)).isEqualTo(1);
    }

    @Test
    void the_floor_is_that_of_an_owner_who_has_finished_what_was_parked_meanwhile() {
        write(command().toRecord(topics.parkedCommands()));
        consumer.answers.add(() -> {
            write(command().toFinish(topics.parkedCommands()));
            return committed(1, 0);
        });
        consumer.answers.add(() -> committed(1, FLOOR));

        partitions.onPartitionsAssigned(List.of(partition));

        assertThat(partitions.parked().count()).isZero();
        assertThat(partitions.floor(partition)).isEqualTo(FLOOR);
    }

    /** Answers the requests for offsets one after the other, further ones as the last. */
    private static final class ScriptedConsumer extends MockConsumer<byte[], byte[]> {
        private final Deque<Supplier<OffsetAndMetadata>> answers = new ArrayDeque<>();
        private OffsetAndMetadata last = new OffsetAndMetadata(0);

        ScriptedConsumer() {
            super("none");
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> asked) {
            if (!answers.isEmpty()) {
                last = answers.remove().get();
            }
            var all = new HashMap<TopicPartition, OffsetAndMetadata>();
            asked.forEach(each -> all.put(each, last));
            return all;
        }
    }
}
