package io.sluice.relay.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Large commands for many instances, and a relay with little memory. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandMemoryIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int COMMANDS = 24;
    private static final int CHARS = 1_000_000;
    private static final int WORKERS = 16;
    private static final long HEAP_BYTES = 128L * 1024 * 1024;
    /** A fifth of the heap, and eight copies of each. */
    private static final int SENT_AT_A_TIME = 3;

    private final MemoryInbox inbox = new MemoryInbox();

    private static ProducerRecord<byte[], byte[]> large(CommandTopics commands, int number, int chars) {
        var instance = "order-" + number;
        return commands.message(
                instance,
                "c-" + number,
                "{\"type\":\"cancel\",\"instance\":\"" + instance + "\",\"reason\":\"" + "x".repeat(chars) + "\"}");
    }

    @Test
    void those_sent_to_the_store_at_the_same_time_have_room_and_all_are_queued() throws Exception {
        var intakes = withCommands(CHARS);
        inbox.hang();
        try (var member =
                intakes.intake(inbox, PipelineControl.none(Pipeline.COMMANDS), WORKERS, RelayMemory.of(HEAP_BYTES))) {
            member.start();

            await().atMost(PATIENCE).until(() -> inbox.asked() > 0);
            await().during(Duration.ofMillis(500)).atMost(PATIENCE).until(() -> inbox.asked() <= SENT_AT_A_TIME);
            inbox.goOn();

            await().atMost(PATIENCE).until(() -> member.status().queued() == COMMANDS);
        }
        assertThat(inbox.commandIds()).hasSize(COMMANDS).doesNotHaveDuplicates();
    }

    @Test
    void those_for_which_a_batch_has_no_room_come_with_the_next() throws Exception {
        var intakes = withCommands(CHARS / 10);
        try (var member = intakes.intake(
                inbox, PipelineControl.none(Pipeline.COMMANDS), WORKERS, RelayMemory.of(HEAP_BYTES / 10))) {
            member.start();

            await().atMost(PATIENCE).until(() -> member.status().queued() == COMMANDS);
        }
        assertThat(inbox.commandIds()).hasSize(COMMANDS).doesNotHaveDuplicates();
    }

    private static TestIntakes withCommands(int chars) throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var topics = new Topics(cluster.prefix());
        var commands = new CommandTopics(kafka, topics);
        commands.make(
                new NewTopic(topics.commands(), 2, (short) 1).configs(Map.of("max.message.bytes", "4194304")),
                new NewTopic(topics.deadLetters(), 1, (short) 1));
        commands.send(IntStream.range(0, COMMANDS)
                .mapToObj(number -> large(commands, number, chars))
                .toList());
        return new TestIntakes(kafka, topics, List.of(), InstantSource.system());
    }
}
