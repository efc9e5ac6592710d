package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.client.AskedCommand;
import io.sluice.client.ClientConfig;
import io.sluice.client.Command;
import io.sluice.client.CommandException;
import io.sluice.client.CommandOptions;
import io.sluice.client.Reply;
import io.sluice.client.SluiceClient;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.ledger.process.KafkaProxy;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The client for Java teams against a relay and a store: what it is told, under kills and outages, is what the store
 * has.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class ClientIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** Far less than the wait for a reply that does not come. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(25);

    private static final int COMMANDS = Tier.times(200, 1_000);
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @BeforeEach
    void makeReplyTopic() throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            KafkaTopics.create(admin, new NewTopic(replies(), 2, (short) 1));
        }
    }

    private static String replies() {
        return kafka.prefix() + ".replies.shop";
    }

    private static ClientConfig config(String bootstrapServers) {
        return ClientConfig.of(bootstrapServers, kafka.prefix())
                .withReplyTopic(replies())
                .withReplyTimeout(PATIENCE);
    }

    private static OutboxRelay relay(TestStore store) {
        var relay = OutboxRelay.builder().config(TestConfig.of(store, kafka)).build();
        relay.start();
        return relay;
    }

    private static Reply reply(AskedCommand asked) throws Exception {
        return asked.reply().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void a_command_is_accepted_once_and_rejected_for_good() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store);
                var client = SluiceClient.open(config(kafka.bootstrapServers()))) {
            var start = new Command.Start("order-1", "Order", "1.0.0", "{}");
            var options =
                    CommandOptions.ofId("start-order-1").withTrace(TRACE, null).withCorrelationId("call-7");
            assertThat(reply(client.ask(start, options)))
                    .isEqualTo(new Reply.Accepted("start-order-1", "order-1", "call-7"));
            assertThat(reply(client.ask(start, options)))
                    .as("the same id again")
                    .isEqualTo(new Reply.Accepted("start-order-1", "order-1", "call-7"));
            store.consumeQueue("order-1");
            try (var restarted = SluiceClient.open(config(kafka.bootstrapServers()))) {
                assertThat(reply(restarted.ask(start, options)))
                        .as("the same id again, of a new client, after it was consumed")
                        .isEqualTo(new Reply.Accepted("start-order-1", "order-1", "call-7"));
            }
            assertThat(store.documents("order-1", "orch_queue")).isEmpty();

            var late = CommandOptions.ofId("late").withDeadline(Instant.EPOCH);
            assertThat(reply(client.ask(new Command.Cancel("order-2", "too late"), late)))
                    .isEqualTo(new Reply.Rejected("late", "its deadline has passed", null));
            assertThat(reply(client.ask(new Command.Cancel("order-2", "in time"), CommandOptions.ofId("late"))))
                    .as("rejected stays rejected")
                    .isInstanceOf(Reply.Rejected.class);
            var longest = CommandOptions.ofId("c".repeat(CommandOptions.MAX_ID_BYTES))
                    .withCorrelationId("c".repeat(CommandOptions.MAX_ID_BYTES));
            assertThat(reply(client.ask(new Command.Cancel("i".repeat(Command.MAX_INSTANCE_BYTES), ""), longest)))
                    .as("the longest of everything")
                    .isInstanceOf(Reply.Accepted.class);
            var large = new Command.EnqueueMessage("order-2", "mail", "x".repeat(1_500_000));
            assertThat(reply(client.ask(large, CommandOptions.ofId("large"))))
                    .as("the relay made the topic for it")
                    .isInstanceOf(Reply.Accepted.class);
            takeNoMoreThanByDefault(new Topics(kafka.prefix()).commands());
            assertThatThrownBy(() -> reply(client.ask(large, CommandOptions.ofId("too-large"))))
                    .as("of a topic that others made, and that takes 1 MB")
                    .cause()
                    .isInstanceOf(CommandException.NotSent.class)
                    .satisfies(failure -> assertThat(((CommandException) failure).mayBeApplied())
                            .isFalse());
            await().atMost(PATIENCE).until(() -> relay.status().commands().refused() == 2);
            assertThat(store.documents("order-2", "orch_queue"))
                    .as("the large one, once")
                    .hasSize(1);
        }
    }

    @Test
    void a_reply_topic_that_the_relay_does_not_allow_is_told_to_who_asks_at_once() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = store.relayEnvironment(kafka);
            environment.put("SLUICE_REPLY_TOPICS", kafka.prefix() + ".answers.*");
            try (var relay = OutboxRelay.builder()
                    .config(RelayConfig.load(environment, null))
                    .build()) {
                relay.start();
                try (var client = SluiceClient.open(config(kafka.bootstrapServers()))) {
                    var asked = client.ask(
                            new Command.Start("order-1", "Order", "{}"),
                            CommandOptions.ofId("c-1").withCorrelationId("call-7"));

                    assertThat(asked.reply().get(TOLD_WITHIN.toSeconds(), TimeUnit.SECONDS))
                            .isInstanceOfSatisfying(Reply.Rejected.class, rejected -> {
                                assertThat(rejected.commandId()).isEqualTo("c-1");
                                assertThat(rejected.correlationId()).isEqualTo("call-7");
                                assertThat(rejected.reason())
                                        .contains(
                                                replies(),
                                                "SLUICE_REPLY_TOPICS",
                                                kafka.prefix() + ".answers.*",
                                                "new id");
                            });
                }
                assertThat(relay.status().commands().refused()).isEqualTo(1);
            }
            assertThat(store.documents("order-1", "orch_queue")).isEmpty();
        }
    }

    private static void takeNoMoreThanByDefault(String topic) throws Exception {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        var less = new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "1048588");
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(less, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            await().atMost(PATIENCE)
                    .until(() -> admin.describeConfigs(List.of(resource)).all().get().values().stream()
                            .allMatch(settings -> less.value()
                                    .equals(settings.get(less.name()).value())));
        }
    }

    @Test
    void topics_named_as_those_of_a_relay_take_no_replies() {
        for (var suffix : TopicCatalogue.SUFFIXES) {
            for (var prefix : List.of("orders", "orders.eu", "billing")) {
                assertThatThrownBy(
                                () -> ClientConfig.of("broker:9092", "orders").withReplyTopic(prefix + suffix))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("ends in " + suffix + " as a relay's topic does");
            }
        }
    }

    @Test
    void many_commands_at_once_keep_their_order_per_instance() throws Exception {
        int instances = 10;
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store);
                var client = SluiceClient.open(config(kafka.bootstrapServers()))) {
            var asked = IntStream.range(0, COMMANDS)
                    .mapToObj(i ->
                            client.ask(new Command.RaiseEvent("order-" + i % instances, "tick", String.valueOf(i))))
                    .toList();

            for (var each : asked) {
                assertThat(reply(each)).isInstanceOf(Reply.Accepted.class);
            }

            assertThat(relay.status().commands().refused()).isZero();
            for (int instance = 0; instance < instances; instance++) {
                assertThat(ticks(store, "order-" + instance))
                        .containsExactlyElementsOf(IntStream.iterate(instance, i -> i < COMMANDS, i -> i + instances)
                                .boxed()
                                .toList());
            }
        }
    }

    /** What an instance would read, in the order in which it would. */
    private static List<Integer> ticks(TestStore store, String instance) {
        return store.documents(instance, "orch_queue").stream()
                .sorted(Comparator.comparingLong((JsonNode document) ->
                                document.path("enqueuedAt").asLong())
                        .thenComparing(document -> document.path("id").asText()))
                .map(document ->
                        Integer.valueOf(document.path("workItem").asText().replaceAll(".*\"data\":\"(\\d+)\".*", "$1")))
                .toList();
    }

    @Test
    void a_relay_that_is_killed_between_store_and_reply_is_replaced_by_one_that_replies() throws Exception {
        var emulator = cosmos.requireEmulator();
        try (var store = TestStore.provisioned(cosmos);
                var proxy = KafkaProxy.before(kafka.bootstrapServers());
                var unlucky = RelayProcess.start(RelayEnvironment.of(
                        store.config(),
                        proxy.bootstrapServers(),
                        kafka.prefix(),
                        Map.of("SLUICE_TOPIC_PARTITIONS", "2", "SLUICE_TOPIC_REPLICATION", "1")))) {
            unlucky.awaitPrinted(RelayProcess.RUNNING);
            var late = emulator.faults()
                    .delay(request -> request.body().contains("receipt:cmd:"), 1, Duration.ofSeconds(3));
            try (var client = SluiceClient.open(config(kafka.bootstrapServers()))) {
                var asked = client.ask(new Command.Start("order-1", "Order", "{}"), CommandOptions.ofId("c-1"));
                await().atMost(PATIENCE).until(() -> late.hits() == 1);
                proxy.away(true); // it has the command in hand, and can tell Kafka nothing of it
                await().atMost(PATIENCE)
                        .until(() -> store.documents("order-1", "orch_queue").size() == 1);
                unlucky.kill();
                assertThat(asked.reply()).isNotDone();

                try (var heir = relay(store)) {
                    assertThat(reply(asked)).isEqualTo(new Reply.Accepted("c-1", "order-1", null));
                    assertThat(heir.status().commands().refused()).isZero();
                }
            }
            assertThat(store.documents("order-1", "orch_queue")).as("once").hasSize(1);
        }
    }

    @Test
    void a_broker_that_is_gone_for_a_while_delays_replies_and_loses_none() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store);
                var proxy = KafkaProxy.before(kafka.bootstrapServers());
                var client = SluiceClient.open(config(proxy.bootstrapServers()))) {
            assertThat(reply(client.ask(new Command.RaiseEvent("order-1", "tick", "0"))))
                    .isInstanceOf(Reply.Accepted.class);
            proxy.away(true);

            var asked = IntStream.rangeClosed(1, 20)
                    .mapToObj(i -> client.ask(
                            new Command.RaiseEvent("order-1", "tick", String.valueOf(i)),
                            CommandOptions.ofId("c-" + i)))
                    .toList();
            var impatient = client.ask(
                    new Command.RaiseEvent("order-1", "tick", "21"),
                    CommandOptions.ofId("c-21").withReplyTimeout(Duration.ofSeconds(1)));
            assertThatThrownBy(() -> reply(impatient))
                    .cause()
                    .isInstanceOf(CommandException.NoReply.class)
                    .satisfies(failure -> assertThat(((CommandException) failure).mayBeApplied())
                            .isTrue());
            proxy.away(false);

            for (var each : asked) {
                assertThat(reply(each)).isEqualTo(new Reply.Accepted(each.commandId(), "order-1", null));
            }
            assertThat(reply(client.ask(new Command.RaiseEvent("order-1", "tick", "21"), CommandOptions.ofId("c-21"))))
                    .isEqualTo(new Reply.Accepted("c-21", "order-1", null));
            assertThat(ticks(store, "order-1"))
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(0, 21).boxed().toList());
            assertThat(relay.status().commands().refused()).isZero();
        }
    }
}
