package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.cosmos.Throughput;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.process.Browser;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A replica as operators meet it over HTTP. */
@Order(1)
class OpsIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private int limit;
    private double share;

    @RegisterExtension
    final Opened opened = new Opened();

    private OpsClient relay(TestStore store, Duration liveness) {
        return new OpsClient(started(store, liveness).opsPort());
    }

    private OutboxRelay started(TestStore store, Duration liveness) {
        var config = TestConfig.of(store, kafka)
                .withDelivery(TestConfig.givingUpAfter(1))
                .withOperations(TestConfig.operations(liveness, 10, limit, share));
        var relay = opened.add(OutboxRelay.builder().config(config).build());
        relay.start();
        return relay;
    }

    @Test
    void health_status_and_metrics_tell_how_it_is() {
        var store = opened.add(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofMinutes(5));
        await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        store.writeIntents("parent", "child", 1, 1);
        store.writeHistory("parent", 1, 3);
        await().atMost(PATIENCE)
                .until(() -> status(ops).path("intents").path("delivered").asInt() == 1);
        await().atMost(PATIENCE)
                .until(() -> status(ops).path("history").path("published").asInt() == 3);

        assertThat(ops.get("/health/live").json().path("well").asBoolean()).isTrue();
        assertThat(status(ops).path("problems")).isEmpty();
        assertThat(List.of("/instances?status=running", "/instances/parent", "/statistics"))
                .allSatisfy(path -> assertThat(ops.get(path))
                        .returns(404, OpsClient.Reply::status)
                        .extracting(OpsClient.Reply::body)
                        .asString()
                        .contains("SLUICE_STREAMS=true"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ops.get("/metrics").body().lines())
                        .contains("sluice_relay_intents_delivered_total 1.0", "sluice_relay_dead_letters 0.0")
                        .contains("sluice_relay_history_latency_seconds_count 3")
                        .anyMatch(line ->
                                line.matches("sluice_relay_history_published_total\\{range=\"[0-9A-F-]+\"} 3.0"))
                        .anyMatch(line -> line.matches("sluice_relay_history_lag_events\\{range=\"[0-9A-F-]+\"} 0.0"))
                        .anyMatch(line -> line.startsWith(
                                "sluice_relay_cosmos_charge_request_units_count{operation=\"batch_document\"}"))
                        .anyMatch(line -> line.contains("operation=\"readfeed_document\""))
                        .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"))
                        .anyMatch(line -> line.startsWith("sluice_build_info{")));
        assertThat(ops.get("/events").json().path("events"))
                .extracting(event -> event.path("instance").asText())
                .containsExactly("parent", "parent", "parent");
    }

    private static JsonNode status(OpsClient ops) {
        return ops.get("/status").json().path("status");
    }

    @Test
    void work_that_hangs_ends_its_life_unless_it_is_paused() {
        var store = opened.add(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofSeconds(1));
        await().atMost(PATIENCE).until(() -> ops.get("/health/live").status() == 200);
        cosmos.requireEmulator()
                .faults()
                .delay(
                        request -> request.operation() == io.sluice.emulator.RequestKind.BATCH
                                && "[\"child\"]".equals(request.partitionKey()),
                        0,
                        Duration.ofSeconds(20));
        store.writeIntents("parent", "child", 1, 1);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ops.get("/health/live"))
                        .returns(503, OpsClient.Reply::status)
                        .extracting(
                                reply -> reply.json().path("reasons").path(0).asText())
                        .asString()
                        .startsWith("the delivery of intents has not come through for"));
        assertThat(ops.post("/pause/intents").status()).isEqualTo(200);
        // On a busy machine another part may not come through within the second either, for a moment.
        await().atMost(PATIENCE).until(() -> ops.get("/health/live").status() == 200);
        cosmos.requireEmulator().faults().clear();
        ops.post("/resume/all");
        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == 1);
        await().atMost(PATIENCE).until(() -> ops.get("/health/live").status() == 200);
    }

    @Test
    void what_is_paused_takes_nothing_new_until_it_is_resumed() throws Exception {
        var store = opened.add(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofSeconds(2));
        await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        ops.post("/pause/all");
        await().atMost(PATIENCE)
                .until(() -> ops.get("/status").body().contains("PAUSED")
                        && !ops.get("/status").body().contains("PUBLISHING"));
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());

        store.writeIntents("parent", "child", 1, 1);
        var events = store.writeHistory("parent", 1, 2);
        topics.send("told", "c-1", "{\"type\":\"cancel\",\"instance\":\"told\",\"reason\":\"r\"}");
        // Longer than any of them takes, and than a worker that isn't paused may be silent.
        await().during(Duration.ofSeconds(3))
                .atMost(PATIENCE)
                .until(() -> store.ids("child", "orch_queue").isEmpty()
                        && store.ids("told", "orch_queue").isEmpty()
                        && topics.eventIds().isEmpty());
        assertThat(ops.get("/health/live").status()).isEqualTo(200);
        assertThat(ops.get("/health/ready").json().path("paused"))
                .extracting(JsonNode::asText)
                .containsExactly("intents", "events", "commands");

        assertThat(ops.post("/resume/all").json().path("paused")).isEmpty();
        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == 1);
        await().atMost(PATIENCE).until(() -> store.ids("told", "orch_queue").size() == 1);
        await().atMost(PATIENCE).until(() -> topics.eventIds().equals(events));
    }

    private static final String HOSTILE = "<img src=x onerror=alert(1)>&\"'";

    @Test
    void dead_letters_are_shown_retried_and_discarded() {
        var store = opened.add(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofMinutes(5));
        store.writePoison("parent", "child", 1);
        store.writePoison("other", "child", 2);
        await().atMost(PATIENCE).until(() -> total(ops) == 2);
        var id = "/dead-letters/" + OpsClient.encoded(TestStore.key("parent", 1));

        var whole = ops.get(id).json();
        assertThat(whole.path("source").asText()).isEqualTo("parent");
        assertThat(whole.path("reason").asText()).contains("refused 1 times");
        assertThat(whole.path("original").asText())
                .isEqualTo(store.documents("parent", "outbox_intent")
                        .get(0)
                        .path("payload")
                        .asText());
        assertThat(whole.path("metadata").path("x-tpf-idempotency-key").asText())
                .isEqualTo(TestStore.key("parent", 1));
        assertThat(ops.get("/dead-letters?source=other").json().path("deadLetters"))
                .singleElement()
                .returns(false, letter -> letter.has("original"));
        assertThat(ops.get("/dead-letters?limit=0").status()).isEqualTo(400);

        awaitPublished(ops, id);
        assertThat(ops.post(id + "/retry").status()).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> ops.get(id).json().path("retry").asInt() == 1);
        var other = "/dead-letters/" + OpsClient.encoded(TestStore.key("other", 2));
        awaitPublished(ops, other);
        assertThat(ops.post("/dead-letters/retry?source=other").status()).isEqualTo(202);
        await().atMost(PATIENCE).until(() -> ops.get(other).json().path("retry").asInt() == 1);
        awaitPublished(ops, id);
        assertThat(ops.post(id + "/discard").status()).isEqualTo(200);
        assertThat(ops.post(id + "/discard").status()).isEqualTo(404);
        assertThat(total(ops)).isEqualTo(1);
        assertThat(store.ids("parent", "outbox_intent")).isEmpty();
    }

    /** One that is being published changes, and who asks for its former version to be retried finds it gone. */
    private static void awaitPublished(OpsClient ops, String letter) {
        await().atMost(PATIENCE)
                .until(() -> ops.get(letter).json().path("published").asBoolean());
    }

    private static int total(OpsClient ops) {
        return ops.get("/dead-letters").json().path("total").asInt();
    }

    @Test
    void the_page_shows_it_to_people_and_takes_what_the_store_holds_as_text() throws Exception {
        var browser = Browser.find();
        var store = opened.add(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofMinutes(5));
        await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        store.writePoison(HOSTILE, "child", 1);
        store.writeHistory("parent", 1, 2);
        await().atMost(PATIENCE).until(() -> total(ops) == 1);
        await().atMost(PATIENCE)
                .until(() -> ops.get("/events").json().path("events").size() == 2);
        await().atMost(PATIENCE)
                .until(() -> StreamSupport.stream(
                                ops.get("/lag").json().path("samples").spliterator(), false)
                        .anyMatch(sample -> sample.path("seconds").isNumber()));

        var page = browser.show(ops.url("/"));

        assertThat(page)
                .contains("live and ready")
                .contains("<td>PUBLISHING</td>")
                .contains("<td>io.sluice.history.ExternalEvent</td>")
                .contains("<polyline points=")
                .contains(kafka.prefix() + ".positions")
                .contains("&lt;img src=x onerror=alert(1)&gt;&amp;\"'")
                .doesNotContain("<img");
    }

    @Test
    void the_command_line_does_the_same() {
        var store = opened.add(TestStore.provisioned(cosmos));
        var relay = started(store, Duration.ofMinutes(5));
        var ops = new OpsClient(relay.opsPort());
        var environment = CommandRun.environment(store, kafka);
        var url = "--url=" + ops.url("");
        store.writePoison("parent", "child", 1);
        store.writePoison("other", "child", 2);
        await().atMost(PATIENCE).until(() -> total(ops) == 2);

        assertThat(CommandRun.of(environment, "status", url).out()).contains("\"live\":true");
        await().atMost(PATIENCE)
                .until(() -> CommandRun.of(environment, "health", url).code() == ExitCode.DONE);
        assertThat(CommandRun.of(environment, "health", "--live", url).out()).contains("\"well\":true");
        assertThat(CommandRun.of(environment, "pause", "events", url).out()).contains("[\"events\"]");
        assertThat(CommandRun.of(environment, "resume", "all", url).code()).isEqualTo(ExitCode.DONE);
        assertThat(CommandRun.of(environment, "pause", "nothing", url).code()).isEqualTo(ExitCode.OTHER);
        assertThat(CommandRun.of(Map.of(), "pause", "events", url))
                .returns(ExitCode.OTHER, CommandRun::code)
                .extracting(CommandRun::err)
                .asString()
                .contains("Authorization: Bearer");
        assertThat(CommandRun.of(environment, "status").code()).isEqualTo(ExitCode.SETTINGS);
        assertThat(CommandRun.of(environment, "status", "--url=http://127.0.0.1:1")
                        .code())
                .isEqualTo(ExitCode.START);

        assertThat(CommandRun.of(environment, "prefix", "release").code()).isEqualTo(ExitCode.SETTINGS);
        assertThat(CommandRun.of(environment, "prefix", "release", "--yes"))
                .returns(ExitCode.OTHER, CommandRun::code)
                .extracting(CommandRun::err)
                .asString()
                .contains("stop them first");

        relay.close();
        assertThat(CommandRun.of(environment, "prefix", "release", "--yes").code())
                .isEqualTo(ExitCode.DONE);
        assertDeadLetterVerbs(store, environment);
    }

    private static void assertDeadLetterVerbs(TestStore store, Map<String, String> environment) {
        assertThat(CommandRun.of(environment, "dead-letters", "list").out())
                .contains("parent -> child")
                .contains("2 dead letters");
        assertThat(CommandRun.of(environment, "dead-letters", "show", TestStore.key("parent", 1))
                        .out())
                .contains("\"original\":");
        assertThat(CommandRun.of(environment, "dead-letters", "discard", TestStore.key("parent", 1), "no-such")
                        .code())
                .isEqualTo(ExitCode.OTHER);
        assertThat(CommandRun.of(environment, "dead-letters", "retry", "--all").out())
                .startsWith("1 wait for delivery");
        assertThat(CommandRun.of(environment, "dead-letters", "list", "--json").out())
                .startsWith("[]");
        assertThat(store.documents("other", "outbox_intent"))
                .singleElement()
                .returns("queued", intent -> intent.path("status").asText());
        assertThat(CommandRun.of(environment, "dead-letters", "retry").code()).isEqualTo(ExitCode.SETTINGS);
    }

    @Test
    void checking_tells_how_the_container_differs_and_fixes_what_can_be_fixed() {
        var store = opened.add(TestStore.provisioned(cosmos));
        store.switchExpiryOff();
        var environment = CommandRun.environment(store, kafka);

        assertThat(CommandRun.of(environment, "check").code()).isEqualTo(ExitCode.START);
        assertThat(CommandRun.of(environment, "check", "--fix").out())
                .contains("fixed: the container's defaultTtl is -1 now")
                .doesNotContain("differs: time to live");
        assertThat(CommandRun.of(environment, "check"))
                .returns(ExitCode.DONE, CommandRun::code)
                .extracting(CommandRun::out)
                .asString()
                .endsWith("all is well" + System.lineSeparator());
    }

    @Test
    void history_is_replayed_beside_the_topic_that_promises_it_once_and_a_start_can_pass_over_the_past() {
        var store = opened.add(TestStore.provisioned(cosmos));
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        var environment = CommandRun.environment(store, kafka);
        var old = store.writeHistory("old", 1, 2);
        var since = store.newestSecond().plusSeconds(1);
        // The store's times are whole seconds.
        await().atMost(PATIENCE).until(() -> Instant.now().getEpochSecond() > since.getEpochSecond() + 1);
        var fresh = store.writeHistory("new", 1, 2);

        var config = TestConfig.of(store, kafka).withFrom(since);
        opened.add(OutboxRelay.builder().config(config).build()).start();
        await().atMost(PATIENCE).until(() -> topics.eventIds().equals(fresh));

        assertThat(CommandRun.of(environment, "replay", "--instance=old").out())
                .startsWith("2 events published to " + kafka.prefix() + ".replay");
        assertThat(CommandRun.of(environment, "replay", "--from=" + since).out())
                .startsWith("2 events published to");
        assertThat(topics.ids(kafka.prefix() + ".replay"))
                .containsExactlyInAnyOrder(old.get(0), old.get(1), fresh.get(0), fresh.get(1));
        assertThat(topics.eventIds()).as("the topic of history is left alone").isEqualTo(fresh);
        assertThat(CommandRun.of(environment, "replay", "--instance=old", "--to=" + kafka.prefix() + ".history")
                        .code())
                .isEqualTo(ExitCode.SETTINGS);
        assertThat(CommandRun.of(environment, "replay").code()).isEqualTo(ExitCode.SETTINGS);
        assertThat(CommandRun.of(environment, "run", "--from-beginning", "--from=" + since)
                        .code())
                .isEqualTo(ExitCode.SETTINGS);
    }

    @Test
    void a_replica_keeps_to_its_limit_and_gets_done() {
        limit = 200;
        assertKeptTo(limit, opened.add(TestStore.provisioned(cosmos)));
    }

    @Test
    @Tag("thorough")
    void a_replica_keeps_to_its_share_of_what_was_bought_and_gets_done() {
        share = 0.2;
        var store = opened.add(TestStore.provisioned(cosmos, Throughput.manual(1_000)));
        assertKeptTo(200, store);
    }

    private void assertKeptTo(int requestUnits, TestStore store) {
        var emulator = cosmos.requireEmulator();
        var ops = relay(store, Duration.ofMinutes(5));
        await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        emulator.requests().clear();
        long begun = System.nanoTime();

        IntStream.range(0, 7).forEach(i -> store.writeIntents("parent-" + i, "child", 1, 5));
        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == 35);

        double seconds = (System.nanoTime() - begun) / 1e9;
        double charged = emulator.requests().all().stream()
                .filter(request -> store.config().container().equals(request.container()))
                .filter(request -> request.body().contains("create:receipt:"))
                .mapToDouble(LoggedRequest::requestCharge)
                .sum();
        // The SDK counts by the second and lets the request through that goes beyond.
        assertThat(charged).isPositive().isLessThanOrEqualTo(requestUnits * (seconds + 2));
    }
}
