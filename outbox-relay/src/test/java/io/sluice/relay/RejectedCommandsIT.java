package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.cli.ExitCode;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.rejected.RejectedCommandAdmin;
import io.sluice.relay.rejected.RejectedCommandAdmin.Outcome;
import io.sluice.relay.rejected.RejectedId;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands that were refused: seen, and sent again once. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class RejectedCommandsIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final String CANCEL = "{\"type\":\"cancel\",\"instance\":\"order-1\",\"reason\":\"late\"}";

    private final KafkaAccess access = new KafkaAccess(kafka.bootstrapServers(), Map.of());
    private TestTopics topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
    private Topics names = new Topics(kafka.prefix());
    private String replies = "";

    @BeforeEach
    void names() {
        topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        names = new Topics(kafka.prefix());
        replies = kafka.prefix() + ".replies";
    }

    private static OutboxRelay relay(TestStore store) {
        return relay(store, Duration.ofSeconds(2));
    }

    private static OutboxRelay relay(TestStore store, Duration sweep) {
        var relay = OutboxRelay.builder()
                .config(TestConfig.withSweep(TestConfig.of(store, kafka), sweep)
                        .withOperations(TestConfig.operations(100)))
                .build();
        relay.start();
        return relay;
    }

    private static List<JsonNode> rejected(OpsClient ops) {
        var all = new ArrayList<JsonNode>();
        ops.get("/commands/rejected").json().path("rejected").forEach(all::add);
        return all;
    }

    private void makeReplies() throws Exception {
        try (var admin = access.admin()) {
            KafkaTopics.create(admin, new NewTopic(replies, 1, (short) 1));
        }
    }

    @Test
    void a_rejected_command_is_seen_and_sent_again_once_and_then_counts() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store, NEVER)) {
            var ops = new OpsClient(relay.opsPort());
            topics.send("order-1", CANCEL, Map.of("ce_id", "c-1", "reply-topic", replies, "own", "kept"));
            await().atMost(PATIENCE).until(() -> rejected(ops).size() == 1);

            var shown = rejected(ops).get(0);
            assertThat(shown.path("reason").asText()).contains(replies);
            assertThat(shown.path("commandId").asText()).isEqualTo("c-1");
            assertThat(shown.path("key").asText()).isEqualTo("order-1");
            assertThat(shown.path("offset").asLong()).isZero();
            assertThat(shown.path("whole").asBoolean()).isTrue();
            await("the replica that refuses a command counts without waiting for its sweep")
                    .atMost(PATIENCE)
                    .until(() -> ops.get("/status")
                                    .json()
                                    .path("status")
                                    .path("commands")
                                    .path("rejected")
                                    .asInt(-1)
                            == 1);
            makeReplies();
            var path = "/commands/rejected/" + shown.path("id").asText() + "/resend";
            assertThat(ops.send(HttpRequest.newBuilder(URI.create(ops.url(path)))
                                    .POST(HttpRequest.BodyPublishers.noBody()))
                            .status())
                    .as("without the token")
                    .isEqualTo(401);

            assertThat(ops.post(path).status()).isEqualTo(200);
            assertThat(ops.post(path).status()).as("the same once more").isEqualTo(404);

            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(store.documents("order-1", "orch_queue")).hasSize(1));
            assertThat(rejected(ops)).isEmpty();
            await().atMost(PATIENCE)
                    .until(() ->
                            Long.valueOf(0).equals(relay.status().commands().rejected()));
            var sent = topics.committed(names.commands());
            assertThat(sent).hasSize(2);
            assertThat(text(sent.get(1).value())).isEqualTo(CANCEL);
            assertThat(sent.get(1).partition()).isEqualTo(sent.get(0).partition());
            assertThat(headers(sent.get(1)))
                    .containsOnlyKeys("ce_id", "reply-topic", "own", "sluice-resent-from")
                    .containsAllEntriesOf(headers(sent.get(0)));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics.committed(replies))
                            .singleElement()
                            .satisfies(reply -> assertThat(text(reply.value())).contains("\"accepted\"")));
            // As their contract promises.
            assertThat(topics.committed(names.deadLetters())).hasSize(2);
        }
    }

    @Test
    void what_is_refused_again_is_offered_again_as_a_new_one() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            var ops = new OpsClient(relay.opsPort());
            var environment = CommandRun.environment(store, kafka);
            topics.send("order-1", "c-1", "not json");
            topics.send("order-2", "c-2", "not json either");
            await().atMost(PATIENCE).until(() -> rejected(ops).size() == 2);
            var first = CommandRun.of(environment, "commands", "rejected");
            assertThat(first.out())
                    .contains("command c-1")
                    .contains("command c-2")
                    .contains("2 rejected commands");

            var all = CommandRun.of(environment, "commands", "resend", "--all");

            assertThat(all.code()).isEqualTo(ExitCode.DONE);
            assertThat(all.lines())
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).endsWith("sent again"));
            var id = all.lines().get(0).split(" ", 2)[0];
            assertThat(CommandRun.of(environment, "commands", "resend", id, "0-9999999"))
                    .satisfies(run -> {
                        assertThat(run.code()).isEqualTo(ExitCode.OTHER);
                        assertThat(run.err().lines()).hasSize(2);
                    });
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(rejected(ops))
                            .hasSize(2)
                            .noneSatisfy(
                                    one -> assertThat(one.path("id").asText()).isEqualTo(id)));
            assertThat(topics.committed(names.commands())).hasSize(4);
            assertThat(CommandRun.of(environment, "commands", "rejected", "--limit=1")
                            .lines())
                    .last()
                    .isEqualTo("1 rejected commands, or more");
            assertThat(CommandRun.of(environment, "commands", "resend").code()).isEqualTo(ExitCode.SETTINGS);
            assertThat(CommandRun.of(environment, "commands", "resend", "nope").code())
                    .isEqualTo(ExitCode.SETTINGS);
            assertThat(ops.get("/commands/rejected?limit=0").status()).isEqualTo(400);
        }
    }

    @Test
    void a_command_that_can_not_be_replied_to_is_not_sent_into_the_same_refusal() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            var ops = new OpsClient(relay.opsPort());
            var environment = CommandRun.environment(store, kafka);
            var foreign = "of-" + kafka.prefix() + ".replies";
            topics.send("order-1", CANCEL, Map.of("ce_id", "c-1", "reply-topic", foreign));
            topics.send("order-1", CANCEL, Map.of("ce_id", "c-2", "reply-topic", replies));
            await().atMost(PATIENCE).until(() -> rejected(ops).size() == 2);

            var all = CommandRun.of(environment, "commands", "resend", "--all");

            assertThat(all.code()).isEqualTo(ExitCode.OTHER);
            assertThat(all.err().lines())
                    .as("the refusal, its setting and the way out")
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line)
                                    .contains("not sent: it would be refused again: reply-topic " + foreign)
                                    .contains("SLUICE_REPLY_TOPICS", replies + ".*"),
                            line -> assertThat(line)
                                    .contains("not sent: it would be refused again: reply-topic " + replies)
                                    .contains("does not exist; make it"));
            var id = rejected(ops).get(0).path("id").asText();
            assertThat(ops.post("/commands/rejected/" + id + "/resend")).satisfies(answer -> {
                assertThat(answer.status()).isEqualTo(409);
                assertThat(answer.body()).contains("it would be refused again: reply-topic ");
            });
            assertThat(ops.post("/commands/rejected/resend?limit=10")
                            .json()
                            .path("unanswerable")
                            .asInt())
                    .isEqualTo(2);
            assertThat(topics.committed(names.commands()))
                    .as("sent again: none")
                    .hasSize(2);
            var elsewhere = new TreeMap<>(environment);
            elsewhere.put("SLUICE_REPLY_TOPICS", foreign + "," + replies);
            makeReplies();
            try (var admin = access.admin()) {
                KafkaTopics.create(admin, new NewTopic(foreign, 1, (short) 1));
            }
            assertThat(CommandRun.of(elsewhere, "commands", "resend", "--all").code())
                    .as("with the cause corrected")
                    .isEqualTo(ExitCode.DONE);
        }
    }

    @Test
    void operators_who_ask_at_once_send_it_once() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            try (var relay = relay(store)) {
                for (int i = 0; i < 6; i++) {
                    topics.send("order-" + i, "c-" + i, "not json");
                }
                await().atMost(PATIENCE).until(() -> relay.status().commands().refused() == 6);
            }
            var desk = new RejectedCommandAdmin(access, names, List.of());
            var ids = desk.list(100).commands().stream()
                    .map(command -> RejectedId.parse(command.id()))
                    .toList();
            assertThat(ids).hasSize(6);

            long sent = atOnce(4, () -> sent(desk, ids)) + sent(desk, ids);

            assertThat(sent).as("told to have been sent").isLessThanOrEqualTo(6);
            assertThat(topics.committed(names.commands())).hasSize(12);
            assertThat(desk.list(100).commands()).isEmpty();
        }
    }

    @Test
    void an_operator_who_is_overtaken_is_told_so() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            try (var relay = relay(store)) {
                for (int i = 0; i < 6; i++) {
                    topics.send("order-" + i, "c-" + i, "not json");
                }
                await().atMost(PATIENCE).until(() -> relay.status().commands().refused() == 6);
            }
            var run = CompletableFuture.supplyAsync(
                    () -> CommandRun.of(CommandRun.environment(store, kafka), "commands", "resend", "--all"));
            while (!run.isDone()) {
                try (var other = access.transactional(names.resendTransactionalId())) {
                    other.initTransactions();
                }
            }

            assertThat(run.get().code()).isEqualTo(ExitCode.OTHER);
            assertThat(run.get().err()).contains("another operator").doesNotContain("KAFKA_BOOTSTRAP_SERVERS");
            assertThat(run.get().lines().size() + run.get().err().lines().count())
                    .as("a line for each")
                    .isEqualTo(6);
        }
    }

    @Test
    void a_dead_letter_topic_that_is_not_there_is_not_taken_for_an_empty_one() {
        try (var store = TestStore.provisioned(cosmos)) {
            var run = CommandRun.of(CommandRun.environment(store, kafka), "commands", "rejected");

            assertThat(run.code()).isEqualTo(ExitCode.START);
            assertThat(run.err()).contains(names.deadLetters() + " is missing", "SLUICE_PREFIX");
        }
    }

    /** Whoever is overtaken by another sends no more, and what was sent until then is counted by the marks. */
    private long sent(RejectedCommandAdmin desk, List<RejectedId> ids) throws InterruptedException {
        long sent = 0;
        for (var id : ids) {
            try {
                sent += desk.resend(List.of(id)).values().stream()
                        .filter(result -> result.outcome() == Outcome.SENT)
                        .count();
            } catch (KafkaException e) {
                // Overtaken; whether it was sent is for the next to find out.
                assertThat(e).isNotNull();
            }
        }
        return sent;
    }

    private static long atOnce(int threads, Callable<Long> task) throws Exception {
        var pool = Executors.newFixedThreadPool(threads);
        try {
            long sum = 0;
            for (var answer : pool.invokeAll(List.of(task, task, task, task))) {
                sum += answer.get();
            }
            return sum;
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> message) {
        var headers = new TreeMap<String, String>();
        message.headers().forEach(header -> headers.put(header.key(), text(header.value())));
        return headers;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
