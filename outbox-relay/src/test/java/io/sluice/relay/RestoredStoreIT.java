package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.RestorePoint;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.history.RangeState;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A store that goes back in time under the same resource id: restored in place, or after a failover that lost the last
 * writes.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RestoredStoreIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int LOST = 20;
    private static final int RANGES = 2;

    @SuppressWarnings("NullAway.Init") // before each test
    private CosmosEmulator emulator;

    @SuppressWarnings("NullAway.Init") // before each test
    private TestStore store;

    @SuppressWarnings("NullAway.Init") // before each test
    private RestorePoint backup;

    private final List<String> before = new ArrayList<>();
    private final List<OutboxRelay> relays = new ArrayList<>();

    @BeforeEach
    void aBackupOfAYoungStoreAndARegionThatGetsNoMoreOfIt() {
        emulator = CosmosEmulator.start(
                EmulatorConfig.inMemory().withPhysicalPartitions(2).withRegions("North", "South"));
        store = TestStore.provisioned(new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "db", "c"));
        before.addAll(store.writeHistory("kept", 1, 2));
        backup = emulator.restorePoint("db", "c");
        emulator.replication().stop("South");
        for (int i = 0; i < LOST; i++) {
            before.addAll(store.writeHistory("lost-" + i, 1, 2));
        }
    }

    @AfterEach
    void stop() {
        relays.forEach(OutboxRelay::close);
        store.close();
        emulator.close();
    }

    private RelayConfig config() {
        return TestConfig.of(store, kafka);
    }

    private OutboxRelay relay(RelayConfig config) {
        var relay = OutboxRelay.builder().config(config).build();
        relays.add(relay);
        relay.start();
        return relay;
    }

    private static RelayConfig pagesOf(int documents, RelayConfig config) {
        var feed = config.feed();
        return config.withFeed(new RelayConfig.Feed(
                documents,
                feed.shortestInterval(),
                feed.longestInterval(),
                feed.sweepInterval(),
                feed.fromBeginning(),
                feed.from()));
    }

    private List<String> published() {
        return new TestTopics(kafka.bootstrapServers(), kafka.prefix()).eventIds();
    }

    private void awaitPublished(List<String> ids) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(published()).containsAll(ids));
    }

    /** All ranges, since each lost writes: a relay that ends before it refused a range has not noted it. */
    private static void awaitRefused(OutboxRelay relay) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(relay.status().history().ranges())
                        .hasSize(RANGES)
                        .allMatch(range -> range.state().equals(RangeState.REFUSED.name())));
    }

    private static void assertTellsTheWayOut(OutboxRelay relay) {
        assertThat(relay.status().problems())
                .anySatisfy(problem -> assertThat(problem)
                        .contains("ahead of the change feed's end")
                        .contains("replay")
                        .contains("positions trust --yes")
                        .contains("--from"));
    }

    @Test
    @Tag("thorough")
    void a_store_restored_in_place_refuses_the_ranges_whose_position_is_ahead() {
        var first = relay(config());
        awaitPublished(before);
        first.close();
        backup.restore();
        var restoredAt = Instant.now();

        var relay = relay(config());
        awaitRefused(relay);

        assertTellsTheWayOut(relay);
        relay.close();
        var since = new ArrayList<String>();
        for (int i = 0; i < 2 * LOST; i++) {
            since.addAll(store.writeHistory("new-" + i, 1, 2));
        }
        var again = relay(config());
        awaitRefused(again);
        assertTellsTheWayOut(again);
        again.close();
        relay(config().withFrom(restoredAt.minusSeconds(2)));
        awaitPublished(since);
    }

    @Test
    void a_fail_over_that_loses_the_last_writes_under_a_running_relay_is_noticed() {
        var relay = relay(config());
        awaitPublished(before);

        emulator.replication().failOverWithLoss("South");
        awaitRefused(relay);

        assertTellsTheWayOut(relay);
        var environment = CommandRun.environment(store, kafka);
        assertThat(CommandRun.of(environment, "positions", "trust", "--yes").err())
                .as("the relay would not read the position again")
                .contains("stop them first");
        relay.close();
        assertThat(CommandRun.of(environment, "positions", "trust").code()).isEqualTo(ExitCode.SETTINGS);

        var trusted = CommandRun.of(environment, "positions", "trust", "--yes");

        assertThat(trusted.code()).as(trusted.err()).isEqualTo(ExitCode.DONE);
        assertThat(trusted.lines()).singleElement().asString().startsWith(RANGES + " positions trusted: ");
        var since = new ArrayList<String>();
        for (int i = 0; i < 5 * LOST; i++) {
            since.addAll(store.writeHistory("new-" + i, 1, 2));
        }
        var again = relay(pagesOf(5, config()));
        // What came to numbers that the positions have passed is not read: it is as if nothing had been lost.
        awaitPublished(since.subList(since.size() / 2, since.size()));
        assertThat(again.status().history().ranges())
                .hasSize(RANGES)
                .allMatch(range -> range.state().equals(RangeState.PUBLISHING.name()));
    }
}
