package io.sluice.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client on a real broker; the test answers in the relay's place. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SluiceClientIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration SHORT = Duration.ofSeconds(1);

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void makeTopics() throws Exception {
        try (var admin = admin()) {
            KafkaTopics.create(
                    admin,
                    new NewTopic(kafka.prefix() + ".commands", 3, (short) 1),
                    new NewTopic(deadLetters(), 3, (short) 1),
                    new NewTopic(replies(), 2, (short) 1));
        }
    }

    @AfterEach
    void close() throws Exception {
        for (var each : open) {
            each.close();
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    private static String replies() {
        return kafka.prefix() + ".replies.shop";
    }

    private static String deadLetters() {
        return kafka.prefix() + ".dead-letters";
    }

    private static ClientConfig config() {
        return ClientConfig.of(kafka.bootstrapServers(), kafka.prefix()).withReplyTopic(replies());
    }

    private SluiceClient client() {
        var client = SluiceClient.open(config());
        open.add(client);
        return client;
    }

    private CommandResponder machine() {
        var machine = new CommandResponder(kafka.bootstrapServers(), kafka.prefix() + ".commands");
        open.add(machine);
        return machine;
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    @Test
    void who_asks_is_told_where_the_command_stands_and_how_it_ended() throws Exception {
        var client = client();
        var machine = machine();

        var start = client.ask(new Command.Start("o-1", "Order", "{}"), CommandOptions.ofId("c-1"));
        var cancel = client.ask(new Command.Cancel("o-2", "why not"));
        for (var command : machine.take(2)) {
            boolean isFirst = CommandResponder.header(command, "command-id").equals("c-1");
            machine.reply(command, isFirst ? "accepted" : "rejected", true);
            var sent = get(isFirst ? start.sent() : cancel.sent());
            assertThat(sent.topic()).isEqualTo(command.topic());
            assertThat(sent.partition()).isEqualTo(command.partition());
            assertThat(sent.offset()).isEqualTo(command.offset());
        }

        assertThat(get(start.reply())).isEqualTo(new Reply.Accepted("c-1", "o-1", null));
        assertThat(get(cancel.reply())).isEqualTo(new Reply.Rejected(cancel.commandId(), "no such thing", null));
    }

    @Test
    void a_reply_arrives_although_an_error_came_in_the_way_of_reading_it() throws Exception {
        var client = SluiceClient.open(
                config().withKafkaSettings(Map.of("interceptor.classes", BreaksOnce.class.getName())));
        open.add(client);
        var machine = machine();
        BreaksOnce.ARMED.set(true);

        var asked = client.ask(new Command.Cancel("o-1", ""), CommandOptions.ofId("c-1"));
        machine.reply(machine.take(1).get(0), "accepted", true);

        assertThat(get(asked.reply())).isEqualTo(new Reply.Accepted("c-1", "o-1", null));
        assertThat(BreaksOnce.ARMED).as("armed still").isFalse();
    }

    @Test
    void foreign_aborted_and_unreadable_replies_are_not_taken_for_ours() throws Exception {
        var mine = client();
        var other = client();
        var machine = machine();

        var asked = mine.ask(new Command.Cancel("o-1", ""), CommandOptions.ofId("mine"));
        var foreign = other.ask(new Command.Cancel("o-1", ""), CommandOptions.ofId("theirs"));
        var commands = machine.take(2);
        var command = commands.get(
                CommandResponder.header(commands.get(0), "command-id").equals("mine") ? 0 : 1);
        machine.reply(command, "rejected", false);
        machine.tell(replies(), command.key(), "{torn", Map.of("command-id", "mine"), true);
        machine.tell(
                replies(), command.key(), "{\"id\":\"mine\",\"status\":\"maybe\"}", Map.of("command-id", "mine"), true);
        machine.tell(
                replies(),
                command.key(),
                "{\"id\":\"theirs\",\"status\":\"rejected\"}",
                Map.of("command-id", "mine"),
                true);
        machine.tell(replies(), new byte[0], "no reply at all", Map.of(), true);
        for (var each : commands) {
            machine.reply(each, "accepted", true);
        }

        assertThat(get(asked.reply())).isEqualTo(new Reply.Accepted("mine", "o-1", null));
        assertThat(get(foreign.reply())).isEqualTo(new Reply.Accepted("theirs", "o-1", null));
    }

    @Test
    void a_thousand_commands_keep_their_order_per_instance() throws Exception {
        var client = client();
        var machine = machine();

        var sent = IntStream.range(0, 1_000)
                .mapToObj(i -> client.send(new Command.RaiseEvent("o-" + i % 7, "tick", String.valueOf(i))))
                .toList();
        var byInstance = new TreeMap<String, List<Integer>>();
        for (var command : machine.take(1_000)) {
            var value = new String(command.value(), UTF_8);
            int number = Integer.parseInt(value.replaceAll(".*\"data\":\"(\\d+)\".*", "$1"));
            byInstance
                    .computeIfAbsent(new String(command.key(), UTF_8), key -> new ArrayList<>())
                    .add(number);
        }

        for (var each : sent) {
            get(each);
        }
        assertThat(byInstance).hasSize(7);
        byInstance.values().forEach(numbers -> assertThat(numbers).isSorted().doesNotHaveDuplicates());
        assertThat(byInstance.values().stream().mapToInt(List::size).sum()).isEqualTo(1_000);
    }

    @Test
    void who_gets_no_reply_may_ask_again_under_the_same_id_also_with_another_client() throws Exception {
        var machine = machine();
        var options = CommandOptions.ofId("c-1").withReplyTimeout(SHORT);
        try (var first = SluiceClient.open(config())) {
            var asked = first.ask(new Command.Cancel("o-1", ""), options);
            assertThatThrownBy(() -> get(asked.reply()))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(CommandException.NoReply.class)
                    .hasMessageContaining("can be repeated with the same id");
        }
        machine.reply(machine.take(1).get(0), "accepted", true);

        var again = client().ask(new Command.Cancel("o-1", ""), CommandOptions.ofId("c-1"));
        machine.reply(machine.take(1).get(0), "accepted", true);

        assertThat(get(again.reply())).isEqualTo(new Reply.Accepted("c-1", "o-1", null));
    }

    @Test
    void a_refusal_that_can_have_no_reply_is_read_from_the_dead_letters() throws Exception {
        var client = client();
        var machine = machine();

        var asked = client.ask(
                new Command.Cancel("o-1", ""), CommandOptions.ofId("c-1").withCorrelationId("call-7"));
        var command = machine.take(1).get(0);
        for (var other : List.of(
                Map.of("sluice-kind", "intent"),
                Map.of("sluice-kind", "resent"),
                Map.of("sluice-command-id", "c-2"),
                Map.of("reply-topic", "of.another.client"))) {
            refuse(machine, command, other);
        }
        refuse(machine, command, Map.of("sluice-reason", "it can have no reply"));

        assertThat(get(asked.reply())).isEqualTo(new Reply.Rejected("c-1", "it can have no reply", "call-7"));
    }

    /** As a relay does, except for these headers. */
    private static void refuse(
            CommandResponder machine, ConsumerRecord<byte[], byte[]> command, Map<String, String> changed) {
        var headers = new TreeMap<>(Map.of("sluice-kind", "command", "sluice-reason", "of another"));
        command.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        headers.put("sluice-command-id", headers.getOrDefault("command-id", ""));
        headers.putAll(changed);
        machine.tell(deadLetters(), command.key(), new String(command.value(), UTF_8), headers, true);
    }

    @Test
    void without_dead_letters_the_client_works_and_says_where_a_refusal_would_be() throws Exception {
        var bare = kafka.prefix() + "-bare";
        try (var admin = admin()) {
            KafkaTopics.create(
                    admin, new NewTopic(bare + ".commands", 1, (short) 1), new NewTopic(bare + ".replies", 1, (short)
                            1));
        }
        var client = SluiceClient.open(
                ClientConfig.of(kafka.bootstrapServers(), bare).withReplyTopic(bare + ".replies"));
        open.add(client);
        var machine = new CommandResponder(kafka.bootstrapServers(), bare + ".commands");
        open.add(machine);

        var asked = client.ask(new Command.Cancel("o-1", ""));
        machine.reply(machine.take(1).get(0), "accepted", true);
        assertThat(get(asked.reply())).isInstanceOf(Reply.Accepted.class);

        var unheard = client.ask(
                new Command.Cancel("o-1", ""), CommandOptions.ofId("c-1").withReplyTimeout(SHORT));
        assertThatThrownBy(() -> get(unheard.reply()))
                .cause()
                .isInstanceOf(CommandException.NoReply.class)
                .hasMessageContaining("SLUICE_REPLY_TOPICS")
                .hasMessageContaining(bare + ".dead-letters, which is missing");
    }

    @Test
    void replies_on_a_partition_that_was_added_are_seen() throws Exception {
        var client = SluiceClient.open(config().withKafkaSettings(Map.of("metadata.max.age.ms", "500")));
        open.add(client);
        var machine = machine();
        try (var admin = admin()) {
            admin.createPartitions(Map.of(replies(), NewPartitions.increaseTo(5)))
                    .all()
                    .get();
        }

        var asked = IntStream.range(0, 40)
                .mapToObj(i -> client.ask(new Command.Cancel("o-" + i, "")))
                .toList();
        // Once the answerer's metadata has the new partitions, some of forty keys fall there.
        await().atMost(Duration.ofSeconds(60)).until(() -> machine.partitionsOf(replies()) == 5);
        machine.take(40).forEach(command -> machine.reply(command, "accepted", true));

        for (var each : asked) {
            assertThat(get(each.reply())).isInstanceOf(Reply.Accepted.class);
        }
    }

    @Test
    void what_waits_when_the_client_closes_is_told_so_and_what_comes_later_is_not_sent() throws Exception {
        var client = client();
        var asked = client.ask(new Command.Cancel("o-1", ""));

        client.close();
        client.close();

        assertThat(get(asked.sent()).commandId()).isEqualTo(asked.commandId());
        assertThatThrownBy(() -> get(asked.reply())).cause().isInstanceOf(CommandException.Closed.class);
        assertThatThrownBy(() -> get(client.send(new Command.Cancel("o-1", ""))))
                .cause()
                .isInstanceOf(CommandException.Closed.class)
                .hasMessageEndingWith("it will not be applied");
    }

    @Test
    void what_the_broker_never_takes_fails_with_its_id() {
        var client = SluiceClient.open(config().withKafkaSettings(Map.of("max.request.size", "1000")));
        open.add(client);

        var asked = client.ask(new Command.Start("o-1", "Order", "x".repeat(1_000)), CommandOptions.ofId("c-1"));

        assertThatThrownBy(() -> get(asked.sent()))
                .cause()
                .isInstanceOf(CommandException.NotSent.class)
                .hasMessageStartingWith("command c-1 was not acknowledged by Kafka")
                .hasMessageEndingWith("it will not be applied");
        assertThatThrownBy(() -> get(asked.reply())).cause().isInstanceOf(CommandException.NotSent.class);
    }

    @Test
    void a_client_that_can_not_work_does_not_open() throws Exception {
        var missing = config().withReplyTopic(kafka.prefix() + ".replies.nowhere");
        var nobody = ClientConfig.of("127.0.0.1:1", kafka.prefix()).withStartTimeout(SHORT);
        var stranger = ClientConfig.of(kafka.bootstrapServers(), kafka.prefix() + "-other");

        assertThatThrownBy(() -> SluiceClient.open(missing))
                .isInstanceOf(ClientStartException.class)
                .hasMessage("topic " + kafka.prefix()
                        + ".replies.nowhere is missing; make it, neither the client nor the relay does");
        assertThatThrownBy(() -> SluiceClient.open(stranger))
                .isInstanceOf(ClientStartException.class)
                .hasMessageEndingWith("-other.commands is missing; the relay makes it: run its provision");
        assertThatThrownBy(() -> SluiceClient.open(nobody))
                .isInstanceOf(ClientStartException.class)
                .hasMessageStartingWith("Kafka at 127.0.0.1:1 does not answer within PT1S");
        assertThatThrownBy(() -> SluiceClient.open(config().withReplyTopic("shop.replies")))
                .as("the relay would refuse every command, and its sender would wait for a reply in vain")
                .isInstanceOf(ClientStartException.class)
                .hasMessageContaining("the relay may not reply to shop.replies");
        try (var admin = admin()) {
            assertThat(admin.listTopics().names().get()).doesNotContain(kafka.prefix() + ".replies.nowhere");
        }
    }

    @Test
    void a_client_without_a_reply_topic_sends_and_does_not_ask() throws Exception {
        var client = SluiceClient.open(ClientConfig.of(kafka.bootstrapServers(), kafka.prefix()));
        open.add(client);

        assertThat(get(client.send(new Command.Cancel("o-1", ""))).offset()).isZero();
        assertThatThrownBy(() -> client.ask(new Command.Cancel("o-1", "")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("reply topic");
    }
}
