package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceTurns;
import io.sluice.provider.Provider;
import io.sluice.provider.contract.ContractStore;
import io.sluice.provider.cosmos.CosmosContractStores.Dispatch;
import io.sluice.provider.feed.BackgroundAnnouncements;
import io.sluice.provider.feed.CatchingUpProvider;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

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
    private final Dispatch dispatch;
    private final @Nullable ChangeFeedAnnouncer shared;
    private volatile Provider provider;

    CosmosContractStore(CosmosStoreConfig config, Optional<CosmosEmulator> emulator, Dispatch dispatch) {
        this.config = config;
        this.emulator = emulator;
        this.dispatch = dispatch;
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        opened.add(store::close);
        clock = new SteppedClock(store.clock());
        shared = dispatch == Dispatch.ANNOUNCED_IN_THE_BACKGROUND ? announceInTheBackground() : null;
        provider = provider(store, true);
    }

    private ChangeFeedAnnouncer announceInTheBackground() {
        ChangeFeedAnnouncer announcer = ChangeFeedAnnouncer.of(store.container(), clock);
        opened.add(0, BackgroundAnnouncements.start(announcer)::close);
        return announcer;
    }

    private Provider provider(CosmosStore opened, boolean immediateDelivery) {
        return provider(builder(opened).immediateDelivery(immediateDelivery));
    }

    private CosmosProviderBuilder builder(CosmosStore opened) {
        return CosmosProvider.builder().reconciler(false).store(opened).clock(clock);
    }

    private Provider provider(CosmosProviderBuilder builder) {
        return switch (dispatch) {
            case POLLED -> builder.build();
            case POLLED_BY_INDEX -> builder.workIndex(true).build();
            case ANNOUNCED_BEFORE_EACH_FETCH -> {
                // Each hears of everything: which one fetches is the test's business.
                ChangeFeedAnnouncer announcer = ChangeFeedAnnouncer.of(store.container(), clock);
                yield CatchingUpProvider.of(builder.workFeed(announcer.join()).build(), announcer);
            }
            case ANNOUNCED_IN_THE_BACKGROUND ->
                builder.workFeed(Objects.requireNonNull(shared).join()).build();
        };
    }

    @Override
    public Provider provider() {
        return provider;
    }

    @Override
    public Provider anotherProvider() {
        CosmosStore other = CosmosStore.open(config);
        opened.add(other::close);
        return provider(other, true);
    }

    @Override
    public Provider leavingDelivery() {
        return provider(store, false);
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
    public InstanceStarts starts(Provider of) {
        return cosmos(of).starts();
    }

    @Override
    public InstanceQueries queries(Provider of) {
        return cosmos(of).queries();
    }

    @Override
    public InstanceTurns turns(Provider of) {
        return cosmos(of).instanceTurns();
    }

    @Override
    public Provider droppingOrphanEvents() {
        return provider(builder(store).dropOrphanEvents(true));
    }

    private static CosmosProvider cosmos(Provider of) {
        return (CosmosProvider) CatchingUpProvider.unwrapped(of);
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
        provider = provider(store, true);
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
