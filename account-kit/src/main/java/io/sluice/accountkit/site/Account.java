package io.sluice.accountkit.site;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosBridgeInternal;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.implementation.DatabaseAccount;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Throughput;
import java.time.Duration;

/** A connected account. */
public final class Account implements AutoCloseable {
    /** A throttled request is repeated, whatever it prepares; its charge is that of the last attempt. */
    private static final ThrottlingRetryOptions PATIENCE = new ThrottlingRetryOptions()
            .setMaxRetryAttemptsOnThrottledRequests(50)
            .setMaxRetryWaitTime(Duration.ofSeconds(30));

    private static final int NOT_FOUND = 404;

    private final CosmosStoreConfig config;
    private final CosmosAsyncClient client;
    private final DatabaseAccount properties;

    private Account(CosmosStoreConfig config, CosmosAsyncClient client, DatabaseAccount properties) {
        this.config = config;
        this.client = client;
        this.properties = properties;
    }

    /**
     * Connects, to create a database of our own later; reads none that is there.
     *
     * @param config whose database and container do not count
     * @throws ProviderException naming the place and the remedy
     */
    public static Account connect(CosmosStoreConfig config) {
        checkReachable(Site.in(Site.PREFIX + "absent", config, Throughput.NONE));
        return connected(config);
    }

    /**
     * Connects to a database that was prepared.
     *
     * @param config whose container does not count
     * @throws ProviderException naming the place and the remedy, also when a container is not there
     */
    public static Account connectPrepared(CosmosStoreConfig config) {
        CosmosStoreConfig prepared = Site.in(config.database(), config, Throughput.NONE);
        CosmosStore.open(prepared).close();
        CosmosStore.open(prepared.withContainer(Site.DOCUMENTS)).close();
        return connected(config);
    }

    private static Account connected(CosmosStoreConfig config) {
        CosmosAsyncClient client =
                config.clientBuilder().throttlingRetryOptions(PATIENCE).buildAsyncClient();
        DatabaseAccount properties = CosmosBridgeInternal.getAsyncDocumentClient(client)
                .getGlobalEndpointManager()
                .getLatestDatabaseAccount();
        if (properties == null) {
            client.close();
            throw ProviderException.retryable("connect", "the account said nothing of itself; try again", null);
        }
        return new Account(config, client, properties);
    }

    /** Opening a store says in seconds, and in words, what is wrong; that there is no container is right here. */
    private static void checkReachable(CosmosStoreConfig config) {
        try {
            CosmosStore.open(config).close();
        } catch (ProviderException e) {
            if (!(e.getCause() instanceof CosmosException answer) || answer.getStatusCode() != NOT_FOUND) {
                throw e;
            }
        }
    }

    /** As it is connected. */
    public CosmosStoreConfig config() {
        return config;
    }

    /** The client, which the account closes. */
    CosmosAsyncClient client() {
        return client;
    }

    /** How many regions what is bought is bought in. */
    public int regions() {
        int regions = 0;
        for (var ignored : properties.getReadableLocations()) {
            regions++;
        }
        return Math.max(1, regions);
    }

    /** The level that the account has by default. */
    public String consistency() {
        return properties.getConsistencyPolicy().getDefaultConsistencyLevel().toString();
    }

    /** Direct or gateway. */
    public String way() {
        return CosmosBridgeInternal.getAsyncDocumentClient(client)
                .getConnectionPolicy()
                .getConnectionMode()
                .toString()
                .toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public void close() {
        client.close();
    }
}
