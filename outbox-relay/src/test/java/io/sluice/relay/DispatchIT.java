package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.AnnouncedOrchestration;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work that whole replicas announce, read from the topics. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class DispatchIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A lookahead sees twice as far. */
    private static final Duration LOOKAHEAD_INTERVAL = Duration.ofSeconds(2);

    @RegisterExtension
    final Opened opened = new Opened();

    @SuppressWarnings("NullAway.Init") // before all tests
    private static SharedRelay shared;

    private boolean isAlone;

    @BeforeAll
    static void startRelay() {
        shared = SharedRelay.start(
                cosmos,
                kafka,
                config ->
                        config.withDispatch(new RelayConfig.Dispatch(true, Duration.ofMillis(50), LOOKAHEAD_INTERVAL)),
                store -> {});
    }

    @AfterAll
    static void closeRelay() {
        shared.close();
    }

    /** A store of the test's own, for a relay of its own. */
    private TestStore store() {
        isAlone = true;
        return opened.add(TestStore.provisioned(cosmos));
    }

    private TestTopics topics() {
        return new TestTopics(kafka.bootstrapServers(), names().prefix());
    }

    private Topics names() {
        return new Topics(isAlone ? kafka.prefix() : shared.prefix());
    }

    private OutboxRelay relay(TestStore store) {
        return relay(store, new RelayConfig.Dispatch(true, Duration.ofMillis(50), LOOKAHEAD_INTERVAL));
    }

    private OutboxRelay relay(TestStore store, RelayConfig.Dispatch dispatch) {
        var relay = opened.add(OutboxRelay.builder()
                .config(TestConfig.of(store, kafka).withDispatch(dispatch))
                .build());
        relay.start();
        return relay;
    }

    private record Announced(long atMillis, Announcement announcement) {}

    private Map<String, List<Announced>> announced(String topic) {
        return topics().committed(topic).stream()
                .map(message -> new Announced(message.timestamp(), Announcement.fromJson(message.value())))
                .collect(Collectors.groupingBy(each -> each.announcement().instanceId()));
    }

    /** By instance. */
    private Map<String, List<Announced>> turns() {
        return announced(names().workTurns());
    }

    private List<Announced> turns(String instance) {
        return turns().getOrDefault(instance, List.of());
    }

    private List<Announced> activities(String instance) {
        return announced(names().workActivities()).getOrDefault(instance, List.of());
    }

    private static List<String> ids(List<Announced> announced) {
        return announced.stream()
                .flatMap(each -> each.announcement().documents().stream())
                .map(AnnouncedDocument::id)
                .toList();
    }

    private List<Pulse> pulses() {
        return topics().committed(names().workPulse()).stream()
                .map(ConsumerRecord::value)
                .map(Pulse::fromJson)
                .toList();
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    @Test
    void all_messages_are_announced_those_of_an_instance_in_order() {

        for (int i = 0; i < 5; i++) {
            for (int instance = 0; instance < 20; instance++) {
                shared.store().write(TestDocuments.message("messages-" + instance, "message-" + i, now()));
            }
        }

        var inOrder = IntStream.range(0, 5).mapToObj(i -> "message-" + i).toList();
        await().atMost(PATIENCE).untilAsserted(() -> {
            var announced = turns();
            for (int instance = 0; instance < 20; instance++) {
                assertThat(ids(announced.getOrDefault("messages-" + instance, List.of())))
                        .containsSubsequence(inOrder);
            }
        });
        assertThat(topics().committed(names().workTurns())).allSatisfy(message -> {
            assertThat(new String(message.key(), UTF_8))
                    .isEqualTo(Announcement.fromJson(message.value()).instanceId());
            assertThat(new String(message.value(), UTF_8))
                    .as("no part of a payload")
                    .doesNotContain("reason");
        });
    }

    @Test
    void a_start_is_announced_with_what_it_begins() {
        shared.store()
                .write(TestDocuments.message("begun", "start", now())
                        .put(
                                "workItem",
                                WorkItemJson.encode(new WorkItem.StartOrchestration(
                                        "begun", "Order", "{}", "1.0.0", null, null, null, 1))));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(turns("begun"))
                        .flatExtracting(each -> each.announcement().documents())
                        .extracting(AnnouncedDocument::orchestration)
                        .contains(new AnnouncedOrchestration("Order", "1.0.0")));
    }

    @Test
    void records_declare_how_far_the_relay_has_looked_ahead() {

        await().atMost(PATIENCE).untilAsserted(() -> {
            var id = "message-" + now();
            shared.store().write(TestDocuments.message("declared", id, now()));
            await().atMost(PATIENCE).until(() -> ids(turns("declared")).contains(id));
            assertThat(turns("declared"))
                    .anySatisfy(
                            each -> assertThat(each.announcement().horizon()).isGreaterThan(each.atMillis()));
        });
    }

    @Test
    void a_timer_is_announced_ahead_of_its_time_be_it_near_or_far() {
        await().atMost(PATIENCE).until(() -> !pulses().isEmpty());
        long near = now() + LOOKAHEAD_INTERVAL.toMillis();
        long far = now() + LOOKAHEAD_INTERVAL.toMillis() * 4;

        shared.store().write(TestDocuments.message("timers", "near", near));
        shared.store().write(TestDocuments.message("timers", "far", far));

        for (var timer : Map.of("near", near, "far", far).entrySet()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(turns("timers")).anySatisfy(each -> {
                        assertThat(each.announcement().documents()).anySatisfy(document -> {
                            assertThat(document.id()).isEqualTo(timer.getKey());
                            assertThat(document.dueAt()).isEqualTo(timer.getValue());
                        });
                        assertThat(each.atMillis()).isLessThan(timer.getValue());
                    }));
        }
        assertThat(turns("timers"))
                .filteredOn(each -> ids(List.of(each)).contains("far"))
                .allSatisfy(each -> assertThat(each.atMillis())
                        .as("no sooner than it is within the window")
                        .isGreaterThan(far - LOOKAHEAD_INTERVAL.toMillis() * 3));
    }

    @Test
    void timers_that_take_several_pages_of_a_query_are_announced() {
        var store = store();
        long due = now() + Duration.ofSeconds(100).toMillis();
        for (int instance = 0; instance < 25; instance++) {
            store.writeMessages("order-" + instance, 100, due);
        }

        var dispatch = new RelayConfig.Dispatch(true, Duration.ofMillis(50), Duration.ofMinutes(1));
        relay(store, dispatch);

        await().atMost(PATIENCE).untilAsserted(() -> {
            var announced = turns();
            for (int instance = 0; instance < 25; instance++) {
                assertThat(ids(announced.getOrDefault("order-" + instance, List.of())).stream()
                                .distinct())
                        .hasSize(100);
            }
        });
    }

    @Test
    void an_activity_is_announced_at_its_time_be_it_near_or_far() {
        long near = now() + LOOKAHEAD_INTERVAL.toMillis() / 2;
        long far = now() + LOOKAHEAD_INTERVAL.toMillis() * 4;

        shared.store().write(TestDocuments.activity("activities", "now"));
        shared.store().write(TestDocuments.activity("activities", "near", near));
        shared.store().write(TestDocuments.activity("activities", "far", far));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ids(activities("activities"))).contains("now", "near", "far"));
        assertThat(activities("activities")).allSatisfy(each -> {
            long due = Map.of("near", near, "far", far)
                    .getOrDefault(each.announcement().documents().get(0).id(), 0L);
            // Kafka's timestamp is taken when the record is made.
            assertThat(each.atMillis()).isGreaterThanOrEqualTo(due - 50);
        });
    }

    @Test
    void work_whose_lock_expires_is_announced_also_if_it_was_locked_only_between_two_looks() {
        await().atMost(PATIENCE).until(() -> !pulses().isEmpty());
        long shortly = now() + 200;
        long later = now() + LOOKAHEAD_INTERVAL.toMillis();

        shared.store().write(TestDocuments.message("short", "message", now()).put("lockedUntil", shortly));
        shared.store().write(TestDocuments.message("long", "message", now()).put("lockedUntil", later));
        shared.store().write(TestDocuments.activity("short", "activity").put("lockedUntil", shortly));

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(turns("short"))
                    .anySatisfy(each -> assertThat(each.announcement().isCheck()
                                    || each.announcement().documents().get(0).dueAt() == shortly)
                            .isTrue());
            assertThat(turns("long")).isNotEmpty();
            assertThat(ids(activities("short"))).containsOnly("activity").isNotEmpty();
        });
    }

    @Test
    void the_first_look_of_a_new_relay_takes_what_is_overdue() throws Exception {
        var store = store();
        var first = relay(store);
        store.write(TestDocuments.message("order", "message", now()));
        store.write(TestDocuments.activity("order", "activity"));
        await().atMost(PATIENCE).until(() -> ids(activities("order")).contains("activity"));
        var events = store.writeHistory("order", 1, 3);
        await().atMost(PATIENCE).until(() -> topics().eventIds().containsAll(events));
        first.close();
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(List.of(names().workTurns(), names().workActivities()))
                    .all()
                    .get();
            // Else the next relay may find them, and make none.
            await().atMost(PATIENCE)
                    .until(() -> !admin.listTopics().names().get().contains(names().workTurns()));
            await().atMost(PATIENCE)
                    .until(() -> !admin.listTopics().names().get().contains(names().workActivities()));
        }

        relay(store);

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(turns("order")).anyMatch(each -> each.announcement().isCheck());
            assertThat(ids(activities("order"))).contains("activity");
        });
    }

    @Test
    void what_the_relay_delivers_itself_is_announced_at_once() throws Exception {

        shared.store().writeIntents("parent", "child", 1, 1);
        topics().send("commanded", "c-1", "{\"type\":\"cancel\",\"instance\":\"commanded\",\"reason\":\"\"}");

        for (var instance : List.of("child", "commanded")) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(turns(instance))
                            .anyMatch(each -> each.announcement().isCheck())
                            .anyMatch(each -> !each.announcement().isCheck()));
        }
    }

    private static WorkStore workStore() {
        try (var opened = CosmosStore.open(shared.store().config())) {
            return opened.workStore();
        }
    }

    @Test
    void every_range_pulses_at_the_end_of_its_feed() {
        WorkStore store = workStore();
        await().atMost(PATIENCE).untilAsserted(() -> {
            var pulses = pulses();
            assertThat(pulses).isNotEmpty();
            assertThat(KeyRange.gaps(pulses.stream()
                            .map(pulse -> new KeyRange(pulse.min(), pulse.max()))
                            .collect(Collectors.toSet())))
                    .isEmpty();
            assertThat(pulses).allSatisfy(pulse -> assertThat(pulse.horizon()).isGreaterThan(pulse.at()));
            assertThat(pulses)
                    .as("a runtime compares it with its own")
                    .extracting(Pulse::store)
                    .containsOnly(store);
            assertThat(pulses.get(pulses.size() - 1).lagMillis()).isZero();
        });
    }

    @Test
    void what_kafka_refuses_holds_up_no_history_and_is_announced_when_kafka_takes_it() throws Exception {
        assertHistoryGoesOn(() -> limitTurns("10"), () -> limitTurns("1048588"), "RecordTooLarge");
    }

    @Test
    void a_topic_that_is_missing_holds_up_no_history_and_is_announced_to_when_it_is_there() throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            assertHistoryGoesOn(
                    () -> admin.deleteTopics(List.of(names().workTurns())).all().get(),
                    () -> KafkaTopics.create(admin, new NewTopic(names().workTurns(), 2, (short) 1)),
                    ".work.turns");
        }
    }

    @FunctionalInterface
    private interface Change {
        void make() throws Exception;
    }

    private void assertHistoryGoesOn(Change refuses, Change takes, String reason) throws Exception {
        var store = store();
        var relay = relay(store);
        await().atMost(PATIENCE).until(() -> !pulses().isEmpty());
        refuses.make();
        awaitRefusedTurns();
        var events = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            store.write(TestDocuments.message("order-" + i, "message", now()));
            events.addAll(store.writeHistory("order-" + i, 1, 3));
        }

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics().eventIds()).containsAll(events));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(relay.status().problems())
                        .isNotEmpty()
                        .allSatisfy(problem -> assertThat(problem)
                                .contains("its work is not announced, runtimes query the store")
                                .contains(reason)));
        assertThat(relay.status().history().ranges())
                .as("no range changes its owner for that")
                .allMatch(range -> range.state().equals("PUBLISHING"));
        takes.make();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(turns().keySet())
                        .as("by a look at what is overdue")
                        .contains("order-0", "order-1", "order-2", "order-3", "order-4"));
        await().atMost(PATIENCE).until(() -> relay.status().problems().isEmpty());
    }

    /** A broker answers a change before it acts on it: work that is announced in between is taken. */
    private void awaitRefusedTurns() {
        Map<String, Object> config = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers(),
                ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 500,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 1_000);
        var probe = new ProducerRecord<byte[], byte[]>(
                names().workTurns(), Announcement.check("probe").toJson());
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThatThrownBy(() -> producer.send(probe).get())
                                    .isInstanceOf(ExecutionException.class));
        }
    }

    private void limitTurns(String bytes) throws Exception {
        var topic = new ConfigResource(ConfigResource.Type.TOPIC, names().workTurns());
        var change = new AlterConfigOp(new ConfigEntry("max.message.bytes", bytes), AlterConfigOp.OpType.SET);
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(topic, List.of(change))).all().get();
        }
    }

    @Test
    @Tag("thorough")
    void a_relay_takes_over_from_one_that_is_killed_and_nothing_is_missed() throws Exception {
        var store = store();
        var first = opened.add(RelayProcess.start(environment(store)));
        first.awaitPrinted(RelayProcess.RUNNING);
        await().atMost(PATIENCE).until(() -> !pulses().isEmpty());
        relay(store);
        long due = now() + LOOKAHEAD_INTERVAL.toMillis() * 3;
        for (int i = 0; i < 100; i++) {
            store.write(TestDocuments.message("order-" + i, "message", now()));
            store.write(TestDocuments.message("order-" + i, "timer", due));
            store.write(TestDocuments.activity("order-" + i, "activity-" + i));
            if (i == 50) {
                first.kill();
            }
        }

        await().atMost(PATIENCE.multipliedBy(3)).untilAsserted(() -> {
            var announced = turns();
            assertThat(announced(names().workActivities())).hasSize(100);
            for (int i = 0; i < 100; i++) {
                var ofInstance = announced.getOrDefault("order-" + i, List.of());
                assertThat(isAnnounced(ofInstance, "message", 0)).isTrue();
                assertThat(isAnnounced(ofInstance, "timer", due)).isTrue();
            }
        });
    }

    private static Map<String, String> environment(TestStore store) {
        var environment = new HashMap<>(store.relayEnvironment(kafka));
        environment.put("SLUICE_DISPATCH_ENABLED", "true");
        environment.put("SLUICE_DISPATCH_LOOKAHEAD_INTERVAL", String.valueOf(LOOKAHEAD_INTERVAL.toMillis()));
        return environment;
    }

    /** By its id, or by a look when it may be taken. */
    private static boolean isAnnounced(List<Announced> announced, String id, long dueMillis) {
        return ids(announced).contains(id)
                || announced.stream().anyMatch(each -> each.announcement().isCheck() && each.atMillis() >= dueMillis);
    }
}
