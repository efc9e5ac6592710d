package io.sluice.relay;

import static io.sluice.relay.RangesOf.publishing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.RequestKind;
import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ranges follow the service's partitions. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SplitRangesIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @RegisterExtension
    final Opened opened = new Opened();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int INSTANCES = 24;
    private static final int EVENTS = 3;

    private final List<String> expected = new ArrayList<>();
    private int rounds;
    private int intents;

    private OutboxRelay relay(TestStore store) {
        var relay = opened.add(OutboxRelay.builder()
                .config(TestConfig.of(store, kafka))
                .name("relay-" + kafka.prefix())
                .build());
        relay.start();
        return relay;
    }

    /** Events of instances all over the key space, and an intent to each. */
    private void write(TestStore store) {
        int round = ++rounds;
        for (int i = 0; i < INSTANCES; i++) {
            var instance = "order-" + i + "-" + round;
            expected.addAll(store.writeHistory(instance, 1, EVENTS));
        }
        store.writeIntents("source-" + round, "target", 1, 2);
        intents += 2;
    }

    private void awaitAll(TestStore store) {
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics.eventIds()).hasSizeGreaterThanOrEqualTo(expected.size()));
        assertThat(topics.eventIds()).containsExactlyInAnyOrderElementsOf(expected);
        await().atMost(PATIENCE).until(() -> store.ids("target", "orch_queue").size() == intents);
    }

    private static void splitAll(TestStore store) {
        var partitions = cosmos.requireEmulator().partitions();
        var config = store.config();
        partitions
                .of(config.database(), config.container())
                .forEach(range -> partitions.split(config.database(), config.container(), range.id()));
    }

    @Test
    void each_part_of_a_range_that_is_split_becomes_a_range_and_nothing_is_lost_or_published_twice() {
        try (var store = TestStore.provisioned(cosmos)) {
            var first = relay(store);
            write(store);
            await().atMost(PATIENCE).until(() -> publishing(first).size() == 2);

            splitAll(store);
            write(store);
            await().atMost(PATIENCE).until(() -> publishing(first).size() == 4);
            write(store);
            splitAll(store);
            write(store);
            await().atMost(PATIENCE).until(() -> publishing(first).size() == 8);
            awaitAll(store);

            var second = relay(store);
            write(store);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    Stream.of(first, second).flatMap(relay -> publishing(relay).stream()))
                            .hasSize(8)
                            .doesNotHaveDuplicates());
            write(store);
            awaitAll(store);
            first.close();
            write(store);
            awaitAll(store);

            assertThat(CommandRun.of(CommandRun.environment(store, kafka), "run", "--dry-run")
                            .lines())
                    .contains("events in all: 0")
                    .filteredOn(line -> line.startsWith("range "))
                    .hasSize(8);
            assertThat(CommandRun.of(CommandRun.environment(store, kafka), "verify")
                            .code())
                    .isEqualTo(ExitCode.DONE);
        }
    }

    @Test
    void a_split_partition_is_read_once() {
        try (var store = TestStore.provisioned(cosmos)) {
            var relay = relay(store);
            await().atMost(PATIENCE).until(() -> publishing(relay).size() == 2);
            splitAll(store);
            write(store);
            await().atMost(PATIENCE).until(() -> publishing(relay).size() == 4);
            awaitAll(store);
            var requests = cosmos.requireEmulator().requests();
            requests.clear();

            write(store);
            awaitAll(store);

            assertThat(requests.matching(request -> request.operation() == RequestKind.CHANGE_FEED
                                    && store.config().container().equals(request.container()))
                            .mapToLong(request -> request.itemCount())
                            .sum())
                    .as("each event, the intents, their removal is no change, and the messages")
                    .isLessThan(2L * INSTANCES * EVENTS);
        }
    }

    @Test
    void partitions_that_are_merged_stay_ranges_of_their_own() {
        try (var store = TestStore.provisioned(cosmos)) {
            var relay = relay(store);
            write(store);
            await().atMost(PATIENCE).until(() -> publishing(relay).size() == 2);
            var config = store.config();
            var partitions = cosmos.requireEmulator().partitions();
            var both = partitions.of(config.database(), config.container());

            partitions.merge(
                    config.database(),
                    config.container(),
                    both.get(0).id(),
                    both.get(1).id());
            write(store);
            awaitAll(store);

            assertThat(publishing(relay)).hasSize(2);
        }
    }
}
