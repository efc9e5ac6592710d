package io.sluice.relay.command;

import static io.sluice.relay.command.CommandTopics.header;
import static io.sluice.relay.command.CommandTopics.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands of an instance that the store does not take are parked: others go on, and its own keep their order. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParkedCommandsIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONGER_THAN_THE_BOUND = Lane.BOUND.multipliedBy(3);
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final int MANY = 400;
    /** Three before it is parked; then each wait is twice as long. */
    private static final int TRIES_UNTIL_SECONDS_APART = 7;
    /** With its headers, three times. */
    private static final long BYTES_OF_ONE = 3 * 1_200;

    private final MemoryInbox inbox = new MemoryInbox();
    private final List<CommandIntake> members = new ArrayList<>();
    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private CommandTopics commands = new CommandTopics(kafka, topics);

    @BeforeEach
    void topics() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        commands = new CommandTopics(kafka, topics);
        commands.make(
                new NewTopic(topics.commands(), 2, (short) 1),
                new NewTopic(topics.deadLetters(), 1, (short) 1),
                new NewTopic(replies(), 1, (short) 1));
    }

    @AfterEach
    void closeAll() {
        inbox.goOn();
        members.forEach(CommandIntake::close);
    }

    private String replies() {
        return topics.prefix() + ".replies";
    }

    private CommandIntake member(RelayMemory memory) {
        var member = new TestIntakes(kafka, topics).intake(inbox, PipelineControl.none(Pipeline.COMMANDS), 4, memory);
        members.add(member);
        member.start();
        return member;
    }

    private CommandIntake member() {
        return member(RelayMemory.ofHeap());
    }

    private ProducerRecord<byte[], byte[]> command(int partition, String instance, String id) {
        return with(commands.cancel(partition, instance, id), "reply-topic", replies());
    }

    private void awaitParked(CommandIntake member, int count) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(member.status().parked().count()).isEqualTo(count));
    }

    private void awaitQueued(String... ids) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(inbox.commandIds()).contains(ids));
    }

    private List<String> queuedOf(String instance) {
        return inbox.queued().stream()
                .filter(queued -> queued.instance().equals(instance))
                .map(MemoryInbox.Queued::commandId)
                .toList();
    }

    private List<String> answered() {
        return commands.committed(replies()).stream()
                .map(reply -> header(reply, "command-id"))
                .toList();
    }

    /** What is parked by the topic: places whose latest record has a value. */
    private List<String> parkedInTopic() {
        var latest = new HashMap<String, byte[]>();
        commands.committed(topics.parkedCommands())
                .forEach(message -> latest.put(new String(message.key(), UTF_8), message.value()));
        return latest.entrySet().stream()
                .filter(place -> place.getValue() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void assertOrderAndTimes(String instance, String... ids) {
        assertThat(queuedOf(instance)).as("each once, in order").containsExactly(ids);
        assertThat(inbox.queued().stream()
                        .filter(queued -> queued.instance().equals(instance))
                        .map(MemoryInbox.Queued::enqueuedAt))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void an_instance_that_is_not_answered_holds_no_other_up_and_gets_its_own_later() throws Exception {
        inbox.sicken("a");
        commands.send(List.of(command(0, "a", "a-1"), command(0, "b", "b-1")));
        var member = member();
        awaitQueued("b-1");
        awaitParked(member, 1);
        commands.send(List.of(command(0, "a", "a-2"), command(0, "b", "b-2"), command(0, "a", "a-3")));
        awaitQueued("b-2");
        awaitParked(member, 3);
        assertThat(queuedOf("a")).isEmpty();
        assertThat(parkedInTopic()).hasSize(3);

        inbox.sicken();
        awaitParked(member, 0);

        assertOrderAndTimes("a", "a-1", "a-2", "a-3");
        assertThat(answered()).containsExactlyInAnyOrder("a-1", "a-2", "a-3", "b-1", "b-2");
        assertThat(parkedInTopic()).isEmpty();
        assertThat(member.status().queued()).isEqualTo(5);
    }

    @Test
    void the_next_owner_goes_on_with_what_is_parked_before_later_commands() throws Exception {
        inbox.sicken("a");
        commands.send(List.of(command(0, "a", "a-1"), command(0, "b", "b-1")));
        var first = member();
        awaitParked(first, 1);
        commands.send(List.of(command(0, "a", "a-2")));
        awaitParked(first, 2);
        first.close();
        commands.send(List.of(command(0, "a", "a-3"), command(0, "b", "b-2")));

        inbox.sicken("a");
        var second = member();
        awaitQueued("b-2");
        awaitParked(second, 3);
        assertThat(queuedOf("a")).isEmpty();
        inbox.sicken();
        awaitParked(second, 0);

        assertOrderAndTimes("a", "a-1", "a-2", "a-3");
        assertThat(answered()).containsExactlyInAnyOrder("a-1", "a-2", "a-3", "b-1", "b-2");
    }

    @Test
    void the_next_owner_does_not_overtake_parked_commands_of_an_instance_that_is_well_again() throws Exception {
        inbox.sicken("a");
        commands.send(List.of(command(0, "a", "a-1"), command(0, "a", "a-2")));
        var first = member();
        awaitParked(first, 2);
        first.close();
        inbox.sicken();
        commands.send(List.of(command(0, "a", "a-3")));

        member();
        awaitQueued("a-1", "a-2", "a-3");

        assertOrderAndTimes("a", "a-1", "a-2", "a-3");
    }

    @Test
    void a_later_command_does_not_overtake_one_that_waits_for_its_next_try() throws Exception {
        inbox.sicken("a");
        commands.send(List.of(command(0, "a", "a-1")));
        var member = member();
        awaitParked(member, 1);
        await().atMost(PATIENCE).until(() -> inbox.asked() >= TRIES_UNTIL_SECONDS_APART);

        inbox.sicken();
        commands.send(List.of(command(0, "a", "a-2")));
        awaitQueued("a-1", "a-2");

        assertOrderAndTimes("a", "a-1", "a-2");
    }

    @Test
    void of_a_part_that_does_not_answer_one_instance_is_tried_and_all_are_taken_soon_after_it_does() throws Exception {
        var instances = IntStream.range(0, MANY).mapToObj(i -> "part-" + i).toArray(String[]::new);
        inbox.sicken(instances);
        commands.send(Arrays.stream(instances)
                .map(instance -> command(0, instance, instance))
                .toList());
        var member = member();
        awaitParked(member, MANY);
        int asked = inbox.asked();
        await().during(LONGER_THAN_THE_BOUND)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(inbox.asked() - asked)
                        .as("tries of %s instances", MANY)
                        .isLessThan(MANY / 4));

        inbox.sicken();
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(member.status().parked().count()).isZero());

        assertThat(inbox.commandIds()).containsExactlyInAnyOrder(instances);
    }

    @Test
    void a_request_that_does_not_end_holds_no_other_up_and_counts_when_it_does() throws Exception {
        inbox.hangFor("a");
        commands.send(List.of(command(0, "a", "a-1"), command(0, "a", "a-2"), command(0, "b", "b-1")));
        var member = member();
        awaitQueued("b-1");
        awaitParked(member, 2);
        int asked = inbox.asked();
        commands.send(List.of(command(0, "b", "b-2")));
        awaitQueued("b-2");
        await().during(LONGER_THAN_THE_BOUND)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(inbox.asked())
                        .as("nothing is sent beside a request that is under way")
                        .isEqualTo(asked + 1));

        inbox.goOn();
        awaitParked(member, 0);

        assertOrderAndTimes("a", "a-1", "a-2");
        assertThat(answered()).containsExactlyInAnyOrder("a-1", "a-2", "b-1", "b-2");
    }

    @Test
    void a_partition_without_room_to_park_more_pauses_and_says_so() throws Exception {
        var heap = RelayMemory.ofHeap();
        var memory = new RelayMemory(
                heap.intents(),
                heap.sending(),
                heap.pages(),
                heap.slowPages(),
                heap.recentPages(),
                heap.reads(),
                heap.commandBytes(),
                2 * 3 * BYTES_OF_ONE);
        inbox.sicken("a");
        commands.send(
                IntStream.range(0, 10).mapToObj(i -> command(0, "a", "a-" + i)).toList());
        var member = member(memory);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(member.status().parked().full()).isEqualTo(1);
            assertThat(member.status().parked().problem()).isNotNull().contains("partitions 0 pause", "(a)");
        });
        assertThat(member.status().parked().count()).isBetween(1L, 9L);
        commands.send(List.of(command(0, "b", "b-behind"), command(1, "b", "b-beside")));
        awaitQueued("b-beside");

        inbox.sicken();
        awaitQueued("b-behind");
        awaitParked(member, 0);

        assertOrderAndTimes("a", IntStream.range(0, 10).mapToObj(i -> "a-" + i).toArray(String[]::new));
        assertThat(member.status().parked().problem()).isNull();
    }

    @Test
    void what_has_become_too_late_while_it_was_parked_is_refused_and_told() throws Exception {
        inbox.sicken("a");
        var deadline = System.currentTimeMillis() + 3_000;
        commands.send(List.of(with(command(0, "a", "a-1"), "x-tpf-deadline-epoch-ms", String.valueOf(deadline))));
        var member = member();
        awaitParked(member, 1);
        await().atMost(PATIENCE).until(() -> System.currentTimeMillis() > deadline);

        inbox.sicken();
        awaitParked(member, 0);

        assertThat(queuedOf("a")).isEmpty();
        assertThat(commands.deadLetters()).singleElement().satisfies(letter -> {
            assertThat(header(letter, "sluice-reason")).contains("deadline");
            assertThat(header(letter, "sluice-offset")).isEqualTo("0");
            assertThat(header(letter, "sluice-command-id")).isEqualTo("a-1");
            assertThat(letter.headers().lastHeader("sluice-keyed"))
                    .as("it is as it was sent")
                    .isNull();
        });
        assertThat(answered()).containsExactly("a-1");
    }
}
