package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.Provider;
import io.sluice.provider.contract.ContractStore;
import java.time.Duration;
import java.util.List;

/** A container of its own for one test of the contract. Its provider's clock can be stepped, so that no test waits for a lock to lapse. */
final class CosmosContractStore implements ContractStore {
    private final CosmosStore store;
    private final SteppedClock clock;
    private volatile Provider provider;

    CosmosContractStore(CosmosStoreConfig config) {
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        clock = new SteppedClock(store.clock());
        provider = newProvider();
    }

    private Provider newProvider() {
        return CosmosProvider.builder().store(store).clock(clock).build();
    }

    @Override
    public Provider provider() {
        return provider;
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
    public void pass(Duration time) {
        clock.step(time);
    }

    @Override
    public void close() {
        store.close();
    }
}
