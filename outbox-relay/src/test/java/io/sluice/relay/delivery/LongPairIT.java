package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.relay.TestDocuments;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hub that sends one instance hundreds of messages, in the store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LongPairIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final String HUB = "hub";
    private static final String TARGET = "target";
    private static final int BATCH = 50;

    private CosmosStore store;
    private IntentOutbox outbox;
    private SourceDrain drain;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        outbox = new IntentOutbox(store.container(), store.clock());
        var delivering = new StoreOutbox(outbox, new FailedIntents(store.container(), store.clock()), true);
        var step = new IntentStep(
                delivering,
                new DeliveryPolicy(3, Duration.ofDays(3), false),
                new RetryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), new SplittableRandom(1)),
                new DeliveryCounters(millis -> {}, () -> {}),
                store.clock());
        drain = new SourceDrain(
                delivering, IntentExamples.inline(step, store.clock()), RelayMemory.ofHeap(), store.clock());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void writeTurn(int count) {
        long now = store.clock().millis();
        for (int from = 0; from < count; from += BATCH) {
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey(HUB));
            IntStream.range(from, from + BATCH)
                    .mapToObj(position -> TestDocuments.cancellation(HUB, TARGET, position, now))
                    .forEach(batch::createItemOperation);
            store.container().executeCosmosBatch(batch).block();
        }
    }

    private static boolean delivers(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().contains("create:outbox:");
    }

    private List<String> deliveredInOrder() {
        return account.requireEmulator()
                .requests()
                .matching(request -> delivers(request) && request.status() == 200)
                .map(request -> request.body().replaceAll(".*create:outbox:", ""))
                .toList();
    }

    @Test
    void a_death_on_the_way_leaves_no_more_than_a_round_and_the_successor_keeps_the_order() {
        writeTurn(450);
        var deliveries = new AtomicInteger();
        var faults = account.requireEmulator().faults();
        // From its 350th delivery on nothing of it comes through.
        faults.refuse(request -> delivers(request) && deliveries.incrementAndGet() >= 350, 0, 429, 3200);
        faults.refuse(request -> deliveries.get() >= 350 && request.body().contains("delete:intent:"), 0, 400, 0);

        assertThat(endsWell()).isFalse();

        assertThat(outbox.undelivered(HUB))
                .extracting(Intent::position)
                .as("all others had been removed by then")
                .containsExactlyElementsOf(IntStream.range(300, 450).boxed().toList());

        faults.clear();
        assertThat(endsWell()).isTrue();
        assertThat(outbox.undelivered(HUB)).isEmpty();
        assertThat(deliveredInOrder()).hasSize(450).isSorted();
    }

    private boolean endsWell() {
        try {
            return drain.run(HUB, () -> true).equals(DrainResult.NOTHING_LEFT);
        } catch (ProviderException e) {
            return false;
        }
    }
}
