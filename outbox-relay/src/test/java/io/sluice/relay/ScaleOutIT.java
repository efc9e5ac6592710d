package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.history.RangeState;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who owns what while replicas come and go, die and rise again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScaleOutIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final int REPLICAS = Tier.times(2, 4);
    private static final List<Integer> RANGES = IntStream.range(0, 4).boxed().toList();
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final List<OutboxRelay> relays = new ArrayList<>();

    @AfterEach
    void closeAll() {
        relays.forEach(OutboxRelay::close);
    }

    private OutboxRelay join(TestStore store) {
        var config = TestConfig.of(store, kafka);
        var relay = OutboxRelay.builder()
                .config(config)
                .name("relay-" + relays.size())
                .build();
        relays.add(relay);
        relay.start();
        return relay;
    }

    private static List<Integer> publishing(OutboxRelay relay) {
        return relay.status().history().ranges().stream()
                .filter(range -> range.state().equals(RangeState.PUBLISHING.name()))
                .map(RelayStatus.Range::index)
                .toList();
    }

    /** Every range in one hand, and all hands equally full. */
    private void awaitShared(List<OutboxRelay> among) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(among.stream().flatMap(relay -> publishing(relay).stream()))
                    .containsExactlyInAnyOrderElementsOf(RANGES);
            int fair = RANGES.size() / among.size();
            assertThat(among).allSatisfy(relay -> assertThat(publishing(relay)).hasSizeBetween(fair, fair + 1));
        });
    }

    @Test
    void replicas_that_come_and_go_share_ranges_and_lose_nothing() {
        try (var store = TestStore.provisioned(cosmos)) {
            var expected = new ArrayList<String>();
            int round = 0;
            awaitShared(List.of(join(store)));
            write(store, expected, round++);
            join(store);
            write(store, expected, round++);
            awaitShared(relays);
            write(store, expected, round++);
            for (int i = 2; i < REPLICAS; i++) {
                join(store);
            }
            write(store, expected, round++);
            awaitShared(relays);
            write(store, expected, round++);
            relays.get(1).close();
            write(store, expected, round++);
            awaitShared(relays.stream().filter(each -> each != relays.get(1)).toList());
            write(store, expected, round++);

            awaitAll(store, expected, round);
        }
    }

    @Test
    @Tag("thorough")
    void what_a_killed_or_paused_replica_held_goes_to_the_other_and_a_zombie_gets_a_new_share() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            var expected = new ArrayList<String>();
            var survivor = join(store);
            try (var victim = process(store)) {
                awaitHalf(survivor);
                write(store, expected, 0);
                victim.kill();
                write(store, expected, 1);
                awaitShared(List.of(survivor));
            }
            try (var zombie = process(store)) {
                awaitHalf(survivor);
                zombie.freeze();
                write(store, expected, 2);
                awaitShared(List.of(survivor));
                zombie.resume();
                write(store, expected, 3);
                awaitHalf(survivor);
                write(store, expected, 4);
                awaitAll(store, expected, 5);
            }
        }
    }

    private static JavaProcess process(TestStore store) throws Exception {
        var relay = RelayProcess.start(
                RelayEnvironment.of(store.config(), kafka.bootstrapServers(), kafka.prefix(), Map.of()));
        relay.awaitPrinted(RelayProcess.RUNNING);
        return relay;
    }

    /** Half of the ranges here: the other half is with the other one. */
    private static void awaitHalf(OutboxRelay here) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(publishing(here)).hasSize(RANGES.size() / 2);
        });
    }

    private static void awaitAll(TestStore store, List<String> expected, int intents) {
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics.eventIds()).hasSizeGreaterThanOrEqualTo(expected.size()));
        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == intents);
        assertThat(topics.eventIds()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void write(TestStore store, List<String> expected, int round) {
        IntStream.range(0, 30).forEach(i -> expected.addAll(store.writeHistory("order-" + i, 1 + 2 * round, 2)));
        store.writeIntents("parent", "child", 1 + round, 1);
    }
}
