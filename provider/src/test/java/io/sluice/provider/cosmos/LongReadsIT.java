package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/**
 * What takes many pages is read to its end by a store that refuses some of them: the refused are asked for again, not
 * those that came.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LongReadsIT {
    private static final int EVENTS = 3_500;
    private static final int HEADS = Tier.times(2_000, 6_000);
    private static final int FOR_FOUR_PARTITIONS = 24_000;
    private static final int PLENTY = 100_000;

    private CosmosEmulator emulator;
    private CosmosStoreConfig config;
    private CosmosStore store;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(4));
        config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "long", "long")
                .withThroughput(Throughput.manual(FOR_FOUR_PARTITIONS));
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        limit(PLENTY);
        provider = CosmosProvider.builder().reconciler(false).store(store).build();
    }

    @AfterEach
    void close() {
        store.close();
        emulator.close();
    }

    @Test
    void a_history_of_many_pages_every_third_of_which_is_refused_is_fetched_whole() {
        List<HistoryEvent> history = longHistory("x");
        provider.enqueueForOrchestrator(raised("order-1", "more"), null);
        List<FaultRule> refusals = everyThird(request ->
                request.operation() == RequestKind.QUERY && request.body().contains("'history'"));

        try (CosmosProvider cold =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            LockedTurn turn = takeTurn(cold);

            assertThat(refusals)
                    .allSatisfy(refusal -> assertThat(refusal.hits()).isPositive());
            assertThat(turn.item().historyError()).isNull();
            assertThat(turn.item().history()).isEqualTo(history);
        }
    }

    @Test
    void a_history_dearer_than_what_a_second_pays_for_is_read() {
        List<HistoryEvent> history = longHistory("x".repeat(1_500));
        limit(250);

        assertThat(provider.read("order-1")).isEqualTo(history);

        long refused =
                emulator.requests().matching(request -> request.status() == 429).count();
        assertThat(refused).as("it was throttled").isPositive();
    }

    @Test
    void all_instances_are_listed_by_a_store_that_refuses_every_third_page() {
        beginInstance(provider, "order-0");
        copyHead(HEADS);
        everyThird(request ->
                request.operation() == RequestKind.QUERY && request.body().contains("'instance'"));

        List<String> listed = provider.asManagementCapability().orElseThrow().listInstances();

        assertThat(listed).hasSize(HEADS).doesNotHaveDuplicates();
    }

    @Test
    void a_read_that_nothing_disturbs_takes_a_request_a_page() {
        longHistory("x");
        emulator.requests().clear();

        provider.readWithExecution("order-1", 1);

        assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.QUERY))
                .hasSize(EVENTS / 1_000 + 1);
    }

    /** Not bought: partitions split for what is bought. */
    private void limit(int requestUnits) {
        emulator.partitions().limitThroughput("long", "long", requestUnits);
    }

    private List<FaultRule> everyThird(Predicate<LoggedRequest> which) {
        List<FaultRule> refusals = new ArrayList<>();
        int[] seen = {0};
        refusals.add(emulator.faults()
                .refuse(
                        request -> {
                            synchronized (seen) {
                                return which.test(request) && ++seen[0] % 3 == 0;
                            }
                        },
                        0,
                        429,
                        3200));
        return refusals;
    }

    private List<HistoryEvent> longHistory(String text) {
        beginInstance(provider, "order-1");
        List<HistoryEvent> more = LongStream.rangeClosed(2, EVENTS)
                .mapToObj(id -> event("order-1", id, new EventKind.ExternalEvent("signal", text)))
                .toList();
        provider.appendWithExecution("order-1", 1, more);
        List<HistoryEvent> all = new ArrayList<>(List.of(started("order-1")));
        all.addAll(more);
        return all;
    }

    /** So that there are so many, all acked. */
    private void copyHead(int count) {
        ObjectNode head = Objects.requireNonNull(store.container()
                        .queryItems("SELECT * FROM c WHERE c.type = 'instance'", ObjectNode.class)
                        .blockFirst())
                .without(List.of("_etag", "_rid", "_self", "_ts", "_attachments"));
        Flux.fromStream(IntStream.range(1, count).boxed())
                .flatMap(
                        i -> store.container()
                                .createItem(head.deepCopy()
                                        .put("id", head.get("id").asText().replace("order-0", "order-" + i))
                                        .put("instanceId", "order-" + i)),
                        8)
                .blockLast(Duration.ofMinutes(1));
    }
}
