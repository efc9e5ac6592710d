package io.sluice.relay.command;

import static io.sluice.relay.command.CommandTopics.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.BrokerCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A reply topic whose only replica lies on a broker that died: its partition has no leader, and those of the relay
 * have.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
class ReplyTopicWithoutLeaderIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 4;
    private static final int DYING = 3;
    private static final List<Integer> REPLICAS = List.of(1, 2, DYING);
    private static final int BEHIND = 20;

    private final MemoryInbox inbox = new MemoryInbox();
    private final Topics topics = new Topics("orders");

    @Test
    void commands_of_all_partitions_are_committed_while_one_sender_has_no_place_for_its_replies() throws Exception {
        try (var cluster = BrokerCluster.start(DYING)) {
            var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
            var commands = new CommandTopics(kafka, topics);
            var replies = topics.prefix() + ".replies.team-b";
            commands.make(
                    new NewTopic(
                            topics.commands(),
                            IntStream.range(0, PARTITIONS)
                                    .boxed()
                                    .collect(Collectors.toMap(partition -> partition, partition -> REPLICAS))),
                    new NewTopic(topics.deadLetters(), Map.of(0, REPLICAS)),
                    new NewTopic(replies, Map.of(0, List.of(DYING))));
            try (var member = member(kafka)) {
                commands.send(List.of(with(commands.cancel(0, "team-b", "answered"), "reply-topic", replies)));
                await().atMost(PATIENCE).until(() -> member.status().queued() == 1);
                assertThat(commands.committed(replies)).hasSize(1);
                cluster.kill(DYING);
                await().atMost(PATIENCE)
                        .until(() -> cluster.leader(replies, 0).isEmpty()
                                && cluster.leader(topics.commands(), 0).isPresent());

                commands.send(
                        behind(commands, with(commands.cancel(0, "team-b", "unanswered"), "reply-topic", replies)));

                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(member.status().queued())
                                .as("commands whose offsets are committed, %s", member.status())
                                .isEqualTo(BEHIND + 2));
                assertThat(member.status().unanswered()).isEqualTo(1);
                assertThat(inbox.commandIds()).hasSize(BEHIND + 2).doesNotHaveDuplicates();
                assertThat(inbox.asked()).as("nothing is asked again and again").isLessThan(2 * (BEHIND + 2));
                assertThat(committed(kafka))
                        .hasSize(PARTITIONS)
                        .allSatisfy((partition, offset) -> assertThat(offset).isPositive());
            }
        }
    }

    private CommandIntake member(KafkaAccess kafka) {
        var member = new TestIntakes(kafka, topics).intake(inbox, PipelineControl.none(Pipeline.COMMANDS));
        member.start();
        return member;
    }

    private static List<ProducerRecord<byte[], byte[]>> behind(
            CommandTopics commands, ProducerRecord<byte[], byte[]> first) {
        var all = new ArrayList<>(List.of(first));
        for (int i = 0; i < BEHIND; i++) {
            all.add(commands.cancel(i % PARTITIONS, "order-" + i, "behind-" + i));
        }
        return all;
    }

    /** By partition. */
    private Map<Integer, Long> committed(KafkaAccess kafka) throws Exception {
        try (var admin = kafka.admin()) {
            return admin
                    .listConsumerGroupOffsets(topics.commandsGroup())
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .entrySet()
                    .stream()
                    .collect(Collectors.toMap(
                            each -> each.getKey().partition(),
                            each -> each.getValue().offset()));
        }
    }
}
