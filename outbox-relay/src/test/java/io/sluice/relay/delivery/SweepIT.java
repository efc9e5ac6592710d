package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.relay.RelayConfig;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.SweepRanges;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More undelivered intents than one query brings. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SweepIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final int SOURCES = 30;
    private static final int INTENTS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private CosmosStore store;
    private IntentDelivery delivery;
    private Sweep sweep;

    @BeforeEach
    void open() {
        var cosmos = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(cosmos);
        store = CosmosStore.open(cosmos);
        // Never started: what the sweep finds stays where it is.
        var config = IntentExamples.delivering(new RelayConfig.Backoff(
                RelayConfig.BackoffKind.FIXED, Duration.ofSeconds(1), Duration.ofSeconds(1), 0));
        var clock = InstantSource.system();
        var drains = new SourceDrains(
                new ScriptedOutbox(),
                config,
                new DeliveryCounters(millis -> {}, () -> {}),
                RelayMemory.ofHeap(),
                clock);
        delivery = new IntentDelivery(
                drains, config, Duration.ofSeconds(5), PipelineControl.none(Pipeline.INTENTS), clock);
        sweep = new Sweep(
                store.container(),
                delivery,
                () -> SweepRanges.ALL,
                new StoreSweep(store),
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
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey("source-" + source));
            for (int i = 0; i < intents; i++) {
                batch.createItemOperation(JsonNodeFactory.instance
                        .objectNode()
                        .put("id", "intent:source-" + source + ":1:0123456789abcdef.%06d".formatted(i))
                        .put("instanceId", "source-" + source)
                        .put("type", "outbox_intent")
                        .put("status", "pending")
                        .put("attemptCount", i % 2));
            }
            assertThat(store.container().executeCosmosBatch(batch).block())
                    .returns(true, answer -> answer.isSuccessStatusCode());
        }
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
    void what_others_left_behind_is_finished_also_while_intents_can_not_be_swept() {
        account.requireEmulator().faults().refuse(SweepIT::isPage, 0, 400, 0);

        sweep.start();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(account.requireEmulator()
                                .requests()
                                .matching(request -> request.operation() == RequestKind.QUERY
                                        && request.body().contains("'deletion'")))
                        .isNotEmpty());
        assertThat(sweep.found()).isNull();
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
}
