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
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
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
    /** Events of a turn beyond one batch. */
    private static final int LARGE = 350;

    private CosmosEmulator emulator;
    private CosmosStoreConfig config;
    private CosmosStore store;
    private CosmosProvider provider;

    /** Batches that have gone on with a committed turn. */
    private final AtomicInteger applied = new AtomicInteger();

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

    @Test
    void a_history_is_read_while_its_turns_follow_each_other() {
        longHistory("x");
        emulator.requests().clear();

        try (CosmosProvider reader = another()) {
            FaultRule turns = emulator.faults().runBefore(LongReadsIT::isWholeRead, 0, page -> smallTurn());
            List<HistoryEvent> read = reader.read("order-1");
            turns.remove();

            assertThat(read).hasSizeGreaterThan(EVENTS);
            assertThat(ids(read)).isEqualTo(ids(read.size()));
            assertThat(read).isEqualTo(reader.read("order-1").subList(0, read.size()));
        }
    }

    @Test
    void the_figures_of_a_long_history_come_while_its_turns_follow_each_other() {
        longHistory("x");

        try (CosmosProvider reader = another()) {
            FaultRule turns = emulator.faults().runBefore(LongReadsIT::isWholeRead, 0, page -> smallTurn());
            long events = reader.getInstanceStats("order-1").orElseThrow().historyEventCount();
            turns.remove();

            assertThat(events).isGreaterThan(EVENTS);
            long pages = emulator.requests().matching(LongReadsIT::isWholeRead).count();
            assertThat(pages)
                    .as("the key values, the history, and what came meanwhile")
                    .isEqualTo(1 + 4 + 1);
        }
    }

    @Test
    void a_turn_that_is_half_applied_when_the_rest_is_read_is_finished_first() {
        longHistory("x");

        try (CosmosProvider reader = another()) {
            NthRequest turn = NthRequest.doing(emulator, LongReadsIT::isWholeRead, 2, this::halfATurn);
            List<HistoryEvent> read = reader.read("order-1");

            assertThat(turn.happened()).isTrue();
            assertThat(ids(read)).isEqualTo(ids(EVENTS + LARGE));
            turn.close();
        }
    }

    @Test
    void of_an_instance_that_is_deleted_and_begins_anew_only_the_new_one_is_shown() {
        longHistory("x");

        try (CosmosProvider reader = another()) {
            NthRequest deletion = NthRequest.doing(emulator, LongReadsIT::isWholeRead, 4, () -> {
                provider.asManagementCapability().orElseThrow().deleteInstance("order-1", true);
                beginInstance(provider, "order-1");
            });
            List<HistoryEvent> read = reader.read("order-1");

            assertThat(deletion.happened()).isTrue();
            assertThat(ids(read)).containsExactly(1L);
            deletion.close();
        }
    }

    @Test
    void key_values_of_several_pages_are_read_while_its_turns_change_them() {
        beginInstance(provider, "order-1");
        setKeys(2, 60, "v".repeat(100_000));

        try (CosmosProvider reader = another()) {
            int[] turns = {0};
            FaultRule changes = emulator.faults().runBefore(LongReadsIT::isWholeRead, 0, page -> {
                turns[0]++;
                setKeys(100L * turns[0], 2, "turn-" + turns[0]);
            });
            Map<String, String> values = reader.getKvAllValues("order-1");
            changes.remove();

            assertThat(values).hasSize(60);
            assertThat(values.get("key-0")).as("of one turn, and the last").isEqualTo(values.get("key-1"));
            assertThat(turns[0]).as("pages").isLessThanOrEqualTo(5);
        }
    }

    private void setKeys(long firstEvent, int count, String value) {
        provider.enqueueForOrchestrator(raised("order-1", "more"), null);
        LockedTurn turn = takeTurn(provider);
        List<HistoryEvent> events = LongStream.range(0, count)
                .mapToObj(i -> event("order-1", firstEvent + i, new EventKind.KeyValueSet("key-" + i, value, 1)))
                .toList();
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(events));
    }

    private static boolean isWholeRead(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY
                && request.body().contains("'staged'")
                && !request.body().contains("'orch_queue'");
    }

    private CosmosProvider another() {
        return CosmosProvider.builder().reconciler(false).config(config).build();
    }

    private void smallTurn() {
        turn(1);
    }

    private void turn(int events) {
        provider.enqueueForOrchestrator(raised("order-1", "more"), null);
        LockedTurn turn = takeTurn(provider);
        long last = turn.item().history().size();
        List<HistoryEvent> more = LongStream.rangeClosed(last + 1, last + events)
                .mapToObj(id -> event("order-1", id, new EventKind.ExternalEvent("signal", "y")))
                .toList();
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(more));
    }

    /** Committed, and applied up to its second part. */
    private void halfATurn() {
        FaultRule dead = emulator.faults()
                .refuse(request -> request.body().contains(":commit") && applied.incrementAndGet() > 2, 0, 400, 0);
        turn(LARGE);
        dead.remove();
    }

    private static List<Long> ids(List<HistoryEvent> events) {
        return events.stream().map(HistoryEvent::eventId).toList();
    }

    private static List<Long> ids(int count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
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
