package io.sluice.relay;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A provisioned container for each test, by the plain SDK. */
public final class TestContainer implements BeforeEachCallback, AfterEachCallback {
    private final CosmosAccount account;

    @SuppressWarnings("NullAway.Init") // before each test
    private CosmosAsyncClient client;

    /** Of an account that is registered before. */
    public TestContainer(CosmosAccount account) {
        this.account = account;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        CosmosStore.provision(
                new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container()));
        client = account.clientBuilder().buildAsyncClient();
    }

    /** The container. */
    public CosmosAsyncContainer get() {
        return client.getDatabase(account.database()).getContainer(account.container());
    }

    /** Writes a document of a history, whose only content is its instance. */
    public void write(String instance) {
        var document = JsonNodeFactory.instance
                .objectNode()
                .put("id", instance)
                .put("instanceId", instance)
                .put("type", "history");
        get().createItem(document, new PartitionKey(instance), new CosmosItemRequestOptions())
                .block();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        client.close();
    }
}
