package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.relay.Opened;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.sweep.Sweep;
import io.sluice.relay.sweep.UnfinishedWork;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More undelivered intents than one query brings. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(0)
class SweepIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final int SOURCES = 30;
    private static final int INTENTS = 100;
    private static final KeyRange WHOLE = KeyRange.cut(1).get(0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Opened opened = new Opened();

    private CosmosStoreConfig cosmos;
    private final ScriptedOutbox outbox = new ScriptedOutbox();
    private CosmosStore store;
    private int partitions;
    private IntentDelivery delivery;
    private Sweep sweep;

    /** Ranges of replicas that have died. */
    private volatile Set<KeyRange> orphans = Set.of();

    @BeforeEach
    void open() {
        cosmos = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(cosmos);
        store = CosmosStore.open(cosmos);
        // Never started: what the sweep finds stays where it is.
        var config = IntentExamples.delivering(new RelayConfig.Backoff(
                RelayConfig.BackoffKind.FIXED, Duration.ofSeconds(1), Duration.ofSeconds(1), 0));
        var clock = InstantSource.system();
        var drains = new SourceDrains(
                new SourceDrains.Store(outbox, IntentExamples.onePartition(), clock),
                config,
                new DeliveryCounters(millis -> {}, () -> {}),
                RelayMemory.ofHeap());
        delivery = new IntentDelivery(
                drains, config, Duration.ofSeconds(5), PipelineControl.none(Pipeline.INTENTS), clock);
        partitions = opened.add(FeedClient.open(cosmos)).physicalPartitions();
        sweep = sweep(KeyRange.cut(1), () -> true);
        sweep.taken(WHOLE);
    }

    private Sweep sweep(List<KeyRange> ranges, BooleanSupplier isAssigned) {
        return new Sweep(
                store.container(),
                delivery,
                new Sweep.Ranges(() -> ranges, isAssigned, () -> orphans),
                new Sweep.Rhythm(Duration.ofMinutes(1), Duration.ofSeconds(5), InstantSource.system()));
    }

    @AfterEach
    void close() {
        sweep.close();
        delivery.close();
        store.close();
    }

    private void write(int sources) {
        writeMany(sources, INTENTS);
    }

    private void writeMany(int sources, int intents) {
        for (int source = 0; source < sources; source++) {
            writeTurn("source-" + source, 1, intents);
        }
    }

    private void writeTurn(String source, int turn, int intents) {
        var batch = CosmosBatch.createCosmosBatch(new PartitionKey(source));
        for (int i = 0; i < intents; i++) {
            batch.createItemOperation(JsonNodeFactory.instance
                    .objectNode()
                    .put("id", "intent:%s:%d:0123456789abcdef.%06d".formatted(source, turn, i))
                    .put("instanceId", source)
                    .put("type", "outbox_intent")
                    .put("status", "pending")
                    .put("attemptCount", i % 2));
        }
        assertThat(store.container().executeCosmosBatch(batch).block())
                .returns(true, answer -> answer.isSuccessStatusCode());
    }

    private static boolean isPage(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.body().contains("outbox_intent");
    }

    @Test
    void a_store_that_refuses_every_third_page_is_swept_to_its_end() {
        write(SOURCES);
        var pages = new AtomicInteger();
        account.requireEmulator()
                .faults()
                .refuse(request -> isPage(request) && pages.incrementAndGet() % 3 == 0, 0, 400, 0);

        sweep.start();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(sweep.found())
                        .isEqualTo(new Sweep.Found(SOURCES * INTENTS / 2, SOURCES * INTENTS / 2)));
        assertThat(delivery.status().sourcesWaiting()).isEqualTo(SOURCES);
    }

    @Test
    void what_others_left_behind_is_finished() {
        var unfinished =
                opened.add(new UnfinishedWork(new StoreSweep(store), Duration.ofMinutes(1), Duration.ofSeconds(5)));

        unfinished.start();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(account.requireEmulator()
                                .requests()
                                .matching(request -> request.operation() == RequestKind.QUERY
                                        && request.body().contains("'deletion'")))
                        .isNotEmpty());
    }

    @Test
    void a_sweep_that_finds_more_than_can_be_worked_off_waits_and_keeps_its_place() {
        var intents = 3;
        writeMany(2_500, intents);

        sweep.start();

        await().atMost(PATIENCE).until(() -> delivery.status().sourcesWaiting() >= 2_000);
        assertThat(sweep.found()).isNull();
        assertThat(delivery.status().sourcesWaiting()).isLessThan(2_500);
        account.requireEmulator().requests().clear();
        delivery.start();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(sweep.found()).isEqualTo(new Sweep.Found(2_500 * 2, 2_500)));
        assertThat(account.requireEmulator()
                        .requests()
                        .matching(SweepIT::isPage)
                        .mapToInt(LoggedRequest::itemCount)
                        .sum())
                .as("no page is read again but the one that was read ahead")
                .isLessThan(2_500 * intents - 4_000);
    }

    @Test
    void a_range_is_swept_as_soon_as_it_is_taken_over_and_once_more_when_all_copies_of_the_store_are_up_to_date() {
        sweep.start();
        await().atMost(PATIENCE).until(() -> sweep.found() != null);
        write(1);

        await().atMost(Duration.ofSeconds(30)).until(() -> delivery.status().sourcesWaiting() == 1);
        await().during(Duration.ofSeconds(4))
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(pages())
                        .as("one of each partition, for all intents, and one for those that are due")
                        .isEqualTo(2L * partitions));
        sweep.taken(WHOLE);
        await("it may have had another owner for a moment")
                .atMost(Duration.ofSeconds(10))
                .until(() -> pages() > 2L * partitions);
    }

    @Test
    void a_range_with_exactly_a_page_of_intents_is_swept_to_its_end() {
        for (int turn = 0; turn < 10; turn++) {
            writeTurn("source", turn, INTENTS);
        }
        var ranges = opened.add(FeedClient.open(cosmos)).physicalRanges();
        var all = opened.add(sweep(ranges, () -> true));
        ranges.forEach(all::taken);

        all.start();

        await().atMost(PATIENCE).until(() -> new Sweep.Found(500, 500).equals(all.found()));
    }

    @Test
    void what_there_is_no_room_for_is_asked_for_again() {
        // Never started: all of them wait in memory, and it is full.
        delivery.enqueueChanged(
                IntStream.range(0, 50_000).mapToObj(SweepIT::change).toList());
        writeTurn("swept", 1, 3);

        sweep.start();

        await().during(Duration.ofSeconds(5)).atMost(PATIENCE).until(() -> sweep.found() == null);
        delivery.start();
        await().atMost(PATIENCE).until(() -> sweep.found() != null);
        await().atMost(PATIENCE).until(() -> outbox.asked("swept") > 0);
    }

    @Test
    void intents_that_found_no_room_are_swept() {
        sweep.start();
        await().atMost(PATIENCE).until(() -> sweep.found() != null);
        await().atMost(PATIENCE).until(() -> pages() == 2L * partitions);

        sweep.onChange(
                WHOLE, IntStream.range(0, 50_000).mapToObj(SweepIT::change).toList());

        delivery.start();
        await("sooner than after the interval").atMost(Duration.ofSeconds(20)).until(() -> pages() > 2L * partitions);
    }

    @Test
    void a_range_that_can_not_be_read_keeps_no_other_waiting() {
        writeMany(64, 1);
        var ranges = opened.add(FeedClient.open(cosmos)).physicalRanges();
        assertThat(ranges).hasSizeGreaterThan(1);
        var sick = new AtomicReference<@Nullable String>();
        account.requireEmulator()
                .faults()
                .refuse(request -> isPage(request) && request.keyRange() != null && isSick(sick, request), 0, 400, 0);
        var all = opened.add(sweep(ranges, () -> true));
        ranges.forEach(all::taken);

        all.start();

        await().atMost(PATIENCE).until(() -> delivery.status().sourcesWaiting() > 0 && sick.get() != null);
        await().during(Duration.ofSeconds(3))
                .atMost(PATIENCE)
                .until(() -> all.found() == null && delivery.status().sourcesWaiting() < 64);
        account.requireEmulator().faults().clear();
        await().atMost(PATIENCE).until(() -> new Sweep.Found(64, 0).equals(all.found()));
    }

    private static boolean isSick(AtomicReference<@Nullable String> sick, LoggedRequest request) {
        sick.compareAndSet(null, request.keyRange());
        return String.valueOf(sick.get()).equals(request.keyRange());
    }

    @Test
    void ranges_of_others_are_swept_while_nobody_knows_whose_they_are() {
        writeMany(64, 1);
        var isAssigned = new AtomicBoolean(true);
        var all = opened.add(sweep(KeyRange.cut(4), isAssigned::get));

        all.start();

        await().during(Duration.ofSeconds(8))
                .atMost(PATIENCE)
                .until(() -> delivery.status().sourcesWaiting() == 0);
        isAssigned.set(false);
        await().atMost(Duration.ofSeconds(10)).until(() -> delivery.status().sourcesWaiting() == 64);
    }

    @Test
    void ranges_of_a_replica_that_has_died_are_swept_until_another_has_them() {
        var all = opened.add(sweep(List.of(WHOLE), () -> true));
        all.start();
        await().during(Duration.ofSeconds(6)).atMost(PATIENCE).until(() -> pages() == 0);

        orphans = Set.of(WHOLE);
        all.orphansChanged();
        await().atMost(PATIENCE).until(() -> pages() > 0);
        writeMany(64, 1);
        await().atMost(PATIENCE).until(() -> delivery.status().sourcesWaiting() == 64);

        orphans = Set.of();
        all.orphansChanged();
        long before = pages();
        await().during(Duration.ofSeconds(5)).atMost(PATIENCE).until(() -> pages() <= before + 1);
    }

    @Test
    void a_range_that_was_an_orphan_until_this_replica_got_it_is_swept_as_its_own() {
        var all = opened.add(sweep(List.of(WHOLE), () -> true));
        orphans = Set.of(WHOLE);
        all.start();
        await().atMost(PATIENCE).until(() -> pages() > 0);

        all.taken(WHOLE);
        all.orphansChanged();
        await().during(Duration.ofSeconds(3)).atMost(PATIENCE).until(() -> all.found() != null);
        orphans = Set.of();

        await().during(Duration.ofSeconds(3)).atMost(PATIENCE).until(() -> all.found() != null);
    }

    private static JsonNode change(int source) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "outbox_intent")
                .put("id", "intent:" + source)
                .put("instanceId", "source-" + source)
                .put("status", "pending");
    }

    private static long pages() {
        return account.requireEmulator().requests().matching(SweepIT::isPage).count();
    }
}
