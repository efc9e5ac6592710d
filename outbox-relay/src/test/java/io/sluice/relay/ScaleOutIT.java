package io.sluice.relay;

import static io.sluice.relay.RangesOf.publishing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
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
    /** Of the service. */
    private static final int RANGES = 2;

    private static final int PARTITIONS = 32;
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

    /** Every range in one hand, and the partitions by which they are owned in all hands equally. */
    private void awaitShared(List<OutboxRelay> among) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            var published =
                    among.stream().flatMap(relay -> publishing(relay).stream()).toList();
            assertThat(published).hasSize(RANGES).doesNotHaveDuplicates();
            assertThat(shares())
                    .hasSize(among.size())
                    .allSatisfy(share ->
                            assertThat(share).isBetween(PARTITIONS / among.size(), PARTITIONS / among.size() + 1));
        });
    }

    /** How many partitions of positions each member of the group has. */
    private static List<Integer> shares() throws Exception {
        var group = kafka.prefix() + "-history";
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .flatMap(described -> described.members().stream())
                    .map(member -> member.assignment().topicPartitions().size())
                    .toList();
        }
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
                awaitHalf();
                write(store, expected, 0);
                victim.kill();
                write(store, expected, 1);
                awaitShared(List.of(survivor));
            }
            try (var zombie = process(store)) {
                awaitHalf();
                zombie.freeze();
                write(store, expected, 2);
                awaitShared(List.of(survivor));
                zombie.resume();
                write(store, expected, 3);
                awaitHalf();
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

    private static void awaitHalf() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shares()).containsExactly(PARTITIONS / 2, PARTITIONS / 2));
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
