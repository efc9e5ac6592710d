package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.program.cli.ExitCode;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A relay that only says what it would do. */
class DryRunIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long HOUR = 3_600_000;

    /** Everything a relay could have written to Kafka. */
    private record Broker(
            Set<String> topics,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, OffsetAndMetadata> committed,
            Set<String> members) {
        static Broker now() throws Exception {
            try (var admin = new KafkaAccess(kafka.bootstrapServers(), Map.of()).admin()) {
                var all = admin.listTopics(new ListTopicsOptions().listInternal(true))
                        .names();
                var own = all.get(60, TimeUnit.SECONDS).stream()
                        .filter(name -> name.startsWith(kafka.prefix()))
                        .collect(Collectors.toCollection(TreeSet::new));
                var partitions = admin.describeTopics(own).allTopicNames().get(60, TimeUnit.SECONDS).values().stream()
                        // A relay that runs beside it says all the time that it lives.
                        .filter(topic -> !topic.name().endsWith(".relays"))
                        .flatMap(topic -> topic.partitions().stream()
                                .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                        .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
                // The mark at the end of a transaction is written after its commit has returned.
                await().atMost(PATIENCE)
                        .until(() -> ends(admin, partitions, IsolationLevel.READ_COMMITTED)
                                .equals(ends(admin, partitions, IsolationLevel.READ_UNCOMMITTED)));
                var ends = ends(admin, partitions, IsolationLevel.READ_UNCOMMITTED);
                var groups = Set.of(kafka.prefix() + "-history", kafka.prefix() + "-commands");
                var committed = admin.listConsumerGroupOffsets(kafka.prefix() + "-commands")
                        .partitionsToOffsetAndMetadata()
                        .get(60, TimeUnit.SECONDS);
                return new Broker(own, ends, committed, own.isEmpty() ? Set.of() : members(admin, groups));
            }
        }

        private static Map<TopicPartition, Long> ends(
                Admin admin, Map<TopicPartition, OffsetSpec> partitions, IsolationLevel level) throws Exception {
            var ends = new TreeMap<TopicPartition, Long>(
                    Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
            admin.listOffsets(partitions, new ListOffsetsOptions(level))
                    .all()
                    .get(60, TimeUnit.SECONDS)
                    .forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        }

        private static Set<String> members(Admin admin, Set<String> groups) throws Exception {
            return admin.describeConsumerGroups(groups).all().get(60, TimeUnit.SECONDS).values().stream()
                    .flatMap(group -> group.members().stream())
                    .map(member -> member.consumerId() + member.assignment())
                    .collect(Collectors.toSet());
        }
    }

    /** Does a dry run, which writes nothing to store or Kafka. */
    private static CommandRun dryRun(TestStore store, String... more) throws Exception {
        var documents = store.everything();
        var broker = Broker.now();
        cosmos.requireEmulator().requests().clear();

        var arguments =
                Stream.concat(Stream.of("run", "--dry-run"), Stream.of(more)).toArray(String[]::new);
        var run = CommandRun.of(CommandRun.environment(store, kafka), arguments);

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(cosmos.requireEmulator().requests().all())
                .filteredOn(request -> request.operation().isWrite())
                .isEmpty();
        assertThat(store.everything()).isEqualTo(documents);
        assertThat(Broker.now()).isEqualTo(broker);
        return run;
    }

    @Test
    void a_first_start_is_foretold_and_nothing_is_made() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            store.writeIntents("parent", "child", 1, 2);
            store.writeHistory("parent", 1, 3);
            var run = dryRun(store);

            assertThat(run.lines())
                    .contains(
                            "intents of parent to child: 2 due",
                            "intents in all: 2 due",
                            "dead letters to publish: 0",
                            "events in all: 3",
                            "commands in all: 0",
                            "dry run: nothing was written")
                    .filteredOn(line -> line.endsWith("nothing read yet"))
                    .hasSize(2);
            assertThat(CommandRun.of(CommandRun.environment(store, kafka), "prefix", "show")
                            .out())
                    .startsWith("the store is not published");
            assertThat(dryRun(store, "--from=2020-01-01T00:00:00Z").lines()).contains("events in all: 3");
        }
    }

    @Test
    void what_waits_is_told_beside_a_relay_that_runs_and_then_done_as_it_was_told() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = paused(store)) {
            var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
            var ops = new OpsClient(relay.opsPort());
            store.writeIntents("parent", "child", 1, 2);
            store.writeIntents("parent", "late", 3, 1, System.currentTimeMillis() + HOUR);
            store.writeIntents("parent", "late", 4, 1);
            store.writeParked("parent", "refusing", 5, System.currentTimeMillis() + HOUR);
            var events = store.writeHistory("parent", 3, 4);
            topics.send("told", "c-1", "{\"type\":\"cancel\",\"instance\":\"told\",\"reason\":\"r\"}");
            topics.send("told", "c-2", "{\"type\":\"cancel\",\"instance\":\"told\",\"reason\":\"r\"}");
            topics.send("told", "c-3", "no command");
            var run = dryRun(store);

            assertThat(run.lines())
                    .contains(
                            "intents of parent to child: 2 due",
                            "intents of parent to late: 1 behind another, 1 waiting",
                            "intents of parent to refusing: 1 parked",
                            "intents of poisoned to child: 1 failed",
                            "intents in all: 2 due, 1 behind another, 1 waiting, 1 parked, 1 failed",
                            "events in all: 4",
                            "commands in all: 3")
                    .anyMatch(line -> line.matches("range [0-9A-F-]+: 4 events to publish"))
                    .anyMatch(line -> line.matches("commands of partition \\d: 2 to queue, 1 to refuse"));

            ops.post("/resume/all");
            await().atMost(PATIENCE)
                    .until(() -> store.ids("child", "orch_queue").size() == 2
                            && store.ids("told", "orch_queue").size() == 2
                            && topics.deadLetterReasons().size() == 2
                            && topics.eventIds().containsAll(events));
            assertThat(topics.eventIds()).hasSize(6);
            assertThat(store.ids("late", "orch_queue")).isEmpty();
        }
    }

    /** One that has published, failed an intent permanently, and takes nothing new now. */
    private static OutboxRelay paused(TestStore store) {
        var relay = OutboxRelay.builder()
                .config(TestConfig.of(store, kafka)
                        .withDelivery(TestConfig.givingUpAfter(1))
                        .withOperations(TestConfig.operations(10)))
                .build();
        relay.start();
        var ops = new OpsClient(relay.opsPort());
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        store.writeHistory("parent", 1, 2);
        store.writePoison("poisoned", "child", 1);
        await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        await().atMost(PATIENCE)
                .until(() -> topics.eventIds().size() == 2
                        && topics.deadLetterReasons().size() == 1
                        && store.documents("poisoned", "outbox_intent").stream()
                                .allMatch(
                                        intent -> intent.path("status").asText().equals("failed")));
        ops.post("/pause/all");
        await().atMost(PATIENCE)
                .until(() -> ops.get("/status").body().contains("PAUSED")
                        && !ops.get("/status").body().contains("PUBLISHING"));
        return relay;
    }
}
