package io.sluice.relay.command;

import static io.sluice.relay.command.CommandTopics.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the intake of commands says of itself while something keeps it from its work, and that it goes on by itself
 * where it can.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class IntakeProblemIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONGER_THAN_A_TURN = Duration.ofSeconds(4);
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private final MemoryInbox inbox = new MemoryInbox();
    private final PipelineControl control = PipelineControl.none(Pipeline.COMMANDS);
    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private CommandTopics commands = new CommandTopics(kafka, topics);
    private @Nullable CommandIntake member;

    @BeforeEach
    void topics() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        commands = new CommandTopics(kafka, topics);
        commands.make(new NewTopic(topics.commands(), 2, (short) 1));
        commands.make(topics.deadLetters(), Map.of());
    }

    @AfterEach
    void leave() {
        if (member != null) {
            member.close();
        }
    }

    private CommandIntake member(KafkaAccess access) {
        var fresh = new TestIntakes(access, topics).intake(inbox, control);
        member = fresh;
        fresh.start();
        return fresh;
    }

    private CommandIntake member() {
        return member(kafka);
    }

    private void turnsAllTheWhile(ThrowingRunnable andTells) {
        await().during(LONGER_THAN_A_TURN).atMost(PATIENCE).untilAsserted(() -> {
            assertThat(control.heartbeats().silence(Pipeline.COMMANDS.label()))
                    .as("the silence after which a replica is killed")
                    .isLessThan(SILENCE);
            andTells.run();
        });
    }

    @Test
    void what_keeps_commands_from_being_committed_is_told_until_it_is_over_and_kills_nobody() throws Exception {
        var member = member();
        try (var admin = kafka.admin()) {
            admin.deleteTopics(List.of(topics.deadLetters())).all().get();
            await().until(() -> !admin.listTopics().names().get().contains(topics.deadLetters()));
        }
        commands.send(List.of(commands.message("a", "bad", "not json"), commands.cancel("a", "good")));

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(member.status().problem()).isNotNull().contains(topics.deadLetters()));
        turnsAllTheWhile(() -> assertThat(member.status().problem())
                .as("readiness does not come and go")
                .isNotNull());

        commands.make(topics.deadLetters(), Map.of());
        await().atMost(PATIENCE).until(() -> member.status().refused() == 1);
        assertThat(member.status().problem()).isNull();
        assertThat(commands.deadLetters()).hasSize(1);
        assertThat(inbox.commandIds()).containsExactly("good");
    }

    @Test
    void commands_that_wait_for_the_partition_of_their_instance_are_no_sign_of_a_thread_that_hangs() throws Exception {
        inbox.throttle(Integer.MAX_VALUE);
        commands.send(List.of(commands.cancel("a", "c-1")));
        var member = member();
        await().atMost(PATIENCE).until(() -> inbox.asked() > 0);

        turnsAllTheWhile(() -> {});

        inbox.throttle(0);
        await().atMost(PATIENCE).until(() -> member.status().queued() == 1);
    }

    @Test
    void a_request_to_the_store_that_never_ends_is_a_sign_of_a_thread_that_hangs() throws Exception {
        inbox.hang();
        commands.send(List.of(commands.cancel("a", "c-1")));
        var member = member();
        await().atMost(PATIENCE).until(() -> inbox.asked() > 0);

        await().atMost(PATIENCE)
                .until(() ->
                        control.heartbeats().silence(Pipeline.COMMANDS.label()).compareTo(LONGER_THAN_A_TURN) > 0);

        inbox.goOn();
        await().atMost(PATIENCE).until(() -> member.status().queued() == 1);
    }

    /**
     * Who takes partitions over waits for the offsets of its predecessor's transaction, and in vain when that takes too
     * long.
     */
    @Test
    void partitions_whose_offsets_could_not_be_had_when_they_were_assigned_are_taken_as_soon_as_they_can()
            throws Exception {
        long floor = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        var owned = new TopicPartition(topics.commands(), 0);
        commands.send(List.of(commands.cancel(0, "a", "c-1"), commands.cancel(1, "b", "c-2")));
        try (var beside = kafka.groupMember(topics.commandsGroup(), "none");
                var predecessor = kafka.transactional(topics.prefix() + "-predecessor")) {
            predecessor.initTransactions();
            predecessor.beginTransaction();
            predecessor.sendOffsetsToTransaction(
                    Map.of(owned, new OffsetAndMetadata(0, "floor=" + floor)), beside.groupMetadata());

            var member = member(new KafkaAccess(cluster.bootstrapServers(), Map.of("default.api.timeout.ms", "1000")));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(member.status().problem())
                            .as("nobody can tell where to begin")
                            .isNotNull());
            predecessor.commitTransaction();
            await().atMost(PATIENCE).until(() -> member.status().queued() == 2);
        }

        assertThat(inbox.commandIds()).containsExactlyInAnyOrder("c-1", "c-2");
        assertThat(inbox.queued())
                .filteredOn(queued -> queued.commandId().equals("c-1"))
                .singleElement()
                .satisfies(queued -> assertThat(queued.enqueuedAt())
                        .as("after those before it")
                        .isGreaterThan(floor));
    }

    @Test
    void commands_that_were_deleted_before_they_were_taken_stop_their_partition_alone_until_people_decide()
            throws Exception {
        commands.send(List.of(commands.cancel(0, "a", "c-1"), commands.cancel(1, "b", "c-2")));
        var first = member();
        await().atMost(PATIENCE).until(() -> first.status().queued() == 2);
        first.close();
        commands.send(List.of(commands.cancel(0, "a", "c-3")));
        try (var admin = kafka.admin()) {
            admin.deleteRecords(Map.of(new TopicPartition(topics.commands(), 0), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }

        var second = member();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(second.status().problem())
                        .isNotNull()
                        .contains("partitions 0", "stop all relays", "--reset-offsets"));
        commands.send(List.of(commands.cancel(1, "b", "c-4")));
        await().atMost(PATIENCE).until(() -> second.status().queued() == 1);

        assertThat(inbox.commandIds()).contains("c-4").doesNotContain("c-3");
        turnsAllTheWhile(() -> assertThat(second.status().problem()).isNotNull().contains("partitions 0"));
        assertThat(commands.deadLetters())
                .extracting(letter -> header(letter, "sluice-command-id"))
                .isEmpty();
    }
}
