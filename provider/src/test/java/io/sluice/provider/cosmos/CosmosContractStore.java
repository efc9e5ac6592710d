package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.provider.Provider;
import io.sluice.provider.contract.ContractStore;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A container of its own for one test of the contract. Its provider's clock can be stepped, so that no test waits for a
 * lock to lapse.
 */
final class CosmosContractStore implements ContractStore {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int THROTTLED = 3200;

    private final CosmosStoreConfig config;
    private final Optional<CosmosEmulator> emulator;
    private final List<Runnable> opened = new CopyOnWriteArrayList<>();
    private final CosmosStore store;
    private final SteppedClock clock;
    private volatile Provider provider;

    CosmosContractStore(CosmosStoreConfig config, Optional<CosmosEmulator> emulator) {
        this.config = config;
        this.emulator = emulator;
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        opened.add(store::close);
        clock = new SteppedClock(store.clock());
        provider = newProvider();
    }

    private Provider newProvider() {
        return CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(clock)
                .build();
    }

    @Override
    public Provider provider() {
        return provider;
    }

    @Override
    public Provider anotherProvider() {
        CosmosStore other = CosmosStore.open(config);
        opened.add(other::close);
        return CosmosProvider.builder()
                .reconciler(false)
                .store(other)
                .clock(clock)
                .build();
    }

    @Override
    public Provider leavingDelivery() {
        return CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(clock)
                .immediateDelivery(false)
                .build();
    }

    @Override
    public void deliver() {
        IntentOutbox outbox = new IntentOutbox(store.container(), clock);
        var sources = new SqlQuerySpec("SELECT DISTINCT VALUE c.instanceId FROM c WHERE c.type = 'outbox_intent'");
        List<String> waiting = store.container()
                .queryItems(sources, new CosmosQueryRequestOptions(), String.class)
                .collectList()
                .block();
        for (String source : waiting) {
            List<Intent> intents = outbox.undelivered(source);
            intents.forEach(outbox::deliver);
            outbox.remove(source, intents);
        }
    }

    @Override
    public void throttle(int every) {
        AtomicInteger requests = new AtomicInteger();
        emulator.ifPresent(served -> opened.add(served.faults()
                .refuse(
                        request -> request.operation().isData()
                                && config.container().equals(request.container())
                                && requests.incrementAndGet() % every == 0,
                        0,
                        TOO_MANY_REQUESTS,
                        THROTTLED)::remove));
    }

    @Override
    public void corruptHistory(String instance) {
        CosmosAsyncContainer container = store.container();
        PartitionKey partition = new PartitionKey(instance);
        for (JsonNode event : rows(instance, "history")) {
            container
                    .patchItem(
                            event.path("id").asText(),
                            partition,
                            CosmosPatchOperations.create().replace("/eventData", "{\"event_id\":1}"),
                            JsonNode.class)
                    .block();
        }
        provider = newProvider();
    }

    @Override
    public int maxAttemptCount(String instance) {
        return rows(instance, "orch_queue").stream()
                .mapToInt(message -> message.path("attemptCount").asInt())
                .max()
                .orElse(0);
    }

    private List<JsonNode> rows(String instance, String type) {
        var query = new SqlQuerySpec("SELECT * FROM c WHERE c.type = @type", new SqlParameter("@type", type));
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        return store.container()
                .queryItems(query, options, JsonNode.class)
                .collectList()
                .block();
    }

    @Override
    public void stopClock() {
        clock.stop();
    }

    @Override
    public void pass(Duration time) {
        clock.step(time);
    }

    @Override
    public void close() {
        opened.forEach(Runnable::run);
    }
}
