package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.WrittenDocuments.message;
import static io.sluice.provider.cosmos.WrittenDocuments.pinned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** A queue full of what does not suit: it costs little to look through, once, and hides nothing that does. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScreeningIT {
    private static final int PARTITIONS = 4;
    /**
     * A step of time is known to the second: until its next answer a provider may be so far behind another one that has
     * just enqueued. A verdict of the second look holds for four seconds more.
     */
    private static final Duration WITHIN_A_VERDICT = Duration.ofSeconds(2);

    private static final SemanticVersion OTHERS = SemanticVersion.of(2, 0, 0);
    private static final DispatcherCapabilityFilter FIRST_ONLY = new DispatcherCapabilityFilter(
            List.of(new SemverRange(SemanticVersion.of(0, 0, 0), SemanticVersion.of(1, 0, 0))));

    private static final DispatcherCapabilityFilter ORDERS_ONLY =
            FIRST_ONLY.withOrchestrations(OrchestrationFilter.named(Map.of("Order", Set.of())));

    private SteppedClock time;
    private CosmosEmulator emulator;
    private CosmosStoreConfig config;
    private CosmosStore store;
    private CosmosProvider feeder;

    @BeforeEach
    void open() {
        time = new SteppedClock(InstantSource.system());
        emulator = CosmosEmulator.start(
                EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS).withClock(time));
        config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "screening", "screening");
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        feeder = CosmosProvider.builder().reconciler(false).config(config).build();
    }

    @AfterEach
    void close() {
        feeder.close();
        store.close();
        emulator.close();
    }

    @Test
    void thousands_of_instances_of_another_version_hide_none_that_suits_and_cost_nothing_once_seen() {
        othersReady(Tier.times(600, 10_000));
        feeder.enqueueForOrchestrator(start("good"), null);
        time.step(Duration.ofMinutes(1));
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            emulator.requests().clear();

            Optional<LockedTurn> found = provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY);

            assertThat(found.map(turn -> turn.item().instance())).contains("good");
            assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(200);
            assertThat(emulator.requests().all())
                    .extracting(LoggedRequest::bytesIn)
                    .allMatch(bytes -> bytes < 128 * 1024);
            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                    .isEmpty();
            emulator.requests().clear();
            for (int look = 0; look < 30; look++) {
                assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                        .isEmpty();
            }
            assertThat(emulator.requests().all())
                    .as("a look costs what a look at an empty queue costs, and ten more requests a minute at most")
                    .hasSizeLessThanOrEqualTo(30 * PARTITIONS + 5);
        }
    }

    @Test
    void many_starts_of_other_names_hide_none_that_suits_and_are_judged_together() {
        startsReady(Tier.times(400, 1_000));
        feeder.enqueueForOrchestrator(start("good"), null);
        time.step(Duration.ofMinutes(1));
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            emulator.requests().clear();

            Optional<LockedTurn> found = provider.fetchOrchestrationItem(LOCK, NO_WAIT, ORDERS_ONLY);

            assertThat(found.map(turn -> turn.item().instance())).contains("good");
            assertThat(emulator.requests().all())
                    .as("a page, the heads, the beginnings of starts; not one look for each")
                    .hasSizeLessThanOrEqualTo(100);
            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, ORDERS_ONLY))
                    .isEmpty();
            emulator.requests().clear();
            for (int look = 0; look < 10; look++) {
                assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, ORDERS_ONLY))
                        .isEmpty();
            }
            assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(10 * PARTITIONS + 5);
        }
    }

    /** Instances that are not stored yet, each with its start under another name. */
    private void startsReady(int count) {
        long enqueued = Instant.now().toEpochMilli() - 100_000;
        Flux.range(0, count)
                .flatMap(
                        i -> {
                            String instance = "other-" + i;
                            var other = new WorkItem.StartOrchestration(
                                    instance, "Other", "x".repeat(3_000), "1.0.0", null, null, null, 1);
                            return store.container()
                                    .createItem(message(other, enqueued + i), new PartitionKey(instance), null);
                        },
                        16)
                .blockLast();
    }

    @Test
    void what_was_written_just_before_a_look_is_not_looked_at_again_and_again() {
        othersReady(Tier.times(500, 3_000));
        try (CosmosStore store = CosmosStore.open(config);
                CosmosProvider provider =
                        CosmosProvider.builder().reconciler(false).store(store).build()) {
            for (int look = 1; look <= 2; look++) {
                assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                        .isEmpty();
                time.step(Duration.ofSeconds(5));
                long ahead = 5 * look - 1;
                // Answers tell the provider the time.
                await().until(() -> {
                    assertThat(provider.read("nobody")).isEmpty();
                    return store.clockOffset().toSeconds() >= ahead;
                });
            }
            emulator.requests().clear();

            for (int look = 0; look < 20; look++) {
                assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                        .isEmpty();
            }

            assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(20 * PARTITIONS + 5);
        }
    }

    @Test
    void each_message_is_read_once_by_one_look() {
        int count = Tier.times(600, 6_000);
        othersReady(count);
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            emulator.requests().clear();

            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                    .isEmpty();

            long shown = emulator.requests()
                    .matching(request -> String.valueOf(request.body()).contains("'orch_queue'"))
                    .mapToLong(LoggedRequest::itemCount)
                    .sum();
            assertThat(shown).isLessThan(count + 200);
        }
    }

    @Test
    void what_becomes_ready_behind_the_horizon_is_found_at_once() {
        feeder.enqueueForOrchestrator(start("held"), null);
        LockedTurn held = takeTurn(feeder, "held");
        feeder.enqueueForOrchestrator(start("late"), Duration.ofMinutes(2));
        othersReady(100);
        feeder.enqueueForOrchestrator(start("waiting"), Duration.ofMinutes(2));
        time.step(Duration.ofSeconds(20));
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                    .isEmpty();
            assertThat(held.item().instance()).isEqualTo("held");

            time.step(Duration.ofMinutes(2));
            // The answer tells the provider the time.
            assertThat(provider.read("nobody")).isEmpty();

            assertThat(List.of(next(provider), next(provider), next(provider)))
                    .containsExactlyInAnyOrder("late", "held", "waiting");
            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                    .isEmpty();
        }
    }

    @Test
    void an_instance_that_continues_under_a_version_that_suits_is_found_at_once() {
        feeder.enqueueForOrchestrator(start("moves"), null);
        feeder.ackOrchestrationItem(firstAck(takeTurn(feeder, "moves"))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Order", "1.0.0")
                        .withPinnedVersion(OTHERS)));
        feeder.enqueueForOrchestrator(raised("moves", "x"), null);
        othersReady(20);
        time.step(Duration.ofMinutes(1));
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                    .isEmpty();
            LockedTurn turn = takeTurn(feeder, "moves");
            feeder.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                    .withMetadata(ExecutionMetadata.NONE.withPinnedVersion(SemanticVersion.of(0, 5, 0))));

            feeder.enqueueForOrchestrator(start("moves"), null);

            assertThat(next(provider)).isEqualTo("moves");
        }
    }

    @Test
    void what_suits_by_now_is_not_hidden_by_what_was_found_out_before() {
        feeder.enqueueForOrchestrator(start("moves"), null);
        feeder.ackOrchestrationItem(firstAck(takeTurn(feeder, "moves"))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Order", "1.0.0")
                        .withPinnedVersion(OTHERS)));
        feeder.enqueueForOrchestrator(raised("moves", "x"), null);
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            // A second look keeps it out for longer than the look itself takes.
            for (int look = 0; look < 2; look++) {
                assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                        .isEmpty();
                time.step(Duration.ofSeconds(6));
                // The answer tells the provider the time.
                assertThat(provider.read("nobody")).isEmpty();
            }
            feeder.ackOrchestrationItem(TurnAck.of(takeTurn(feeder, "moves").lockToken(), 1)
                    .withMetadata(ExecutionMetadata.NONE.withPinnedVersion(SemanticVersion.of(0, 5, 0))));
            feeder.enqueueForOrchestrator(start("moves"), null);
            LockedTurn turn = provider.fetchOrchestrationItem(LOCK, WITHIN_A_VERDICT, FIRST_ONLY)
                    .orElseThrow();
            provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));

            // Another verdict keeps the queue screened.
            othersReady(1);
            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY))
                    .isEmpty();
            feeder.enqueueForOrchestrator(raised("moves", "y"), null);

            assertThat(provider.fetchOrchestrationItem(LOCK, WITHIN_A_VERDICT, FIRST_ONLY))
                    .as("not only after the verdict")
                    .isPresent();
        }
    }

    @Test
    void ids_without_a_start_stay_within_what_a_query_may_have() {
        String pad = "x".repeat(890);
        for (int i = 0; i < 300; i++) {
            feeder.enqueueForOrchestrator(raised(pad + i, "d"), null);
        }
        time.step(Duration.ofMinutes(1));
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            emulator.requests().clear();

            assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
            feeder.enqueueForOrchestrator(start(pad + 7), null);

            // With patience: a search does not wait for a partition that answers late, and this machine may be busy.
            assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null)
                            .map(turn -> turn.item().messages()))
                    .contains(List.of(raised(pad + 7, "d"), start(pad + 7)));
            assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.QUERY))
                    .extracting(LoggedRequest::bytesIn)
                    .allMatch(bytes -> bytes < 160 * 1024);
        }
    }

    private static String next(CosmosProvider provider) {
        return provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), FIRST_ONLY)
                .orElseThrow()
                .item()
                .instance();
    }

    /** The turn of this instance, whatever else is ready. */
    private static LockedTurn takeTurn(CosmosProvider provider, String instance) {
        while (true) {
            LockedTurn turn = StoreFixture.takeTurn(provider);
            if (turn.item().instance().equals(instance)) {
                return turn;
            }
        }
    }

    /** Instances pinned to another version, each with a signal that waits. */
    private void othersReady(int count) {
        long now = Instant.now().toEpochMilli();
        Flux.range(0, count)
                .flatMap(
                        i -> {
                            CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey("other-" + i));
                            batch.createItemOperation(pinned("other-" + i, OTHERS, now));
                            batch.createItemOperation(message(raised("other-" + i, "s"), now - 100_000 + i));
                            return store.container().executeCosmosBatch(batch);
                        },
                        16)
                .blockLast();
    }
}
