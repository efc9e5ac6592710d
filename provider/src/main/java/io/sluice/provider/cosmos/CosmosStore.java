package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import io.sluice.provider.ProviderException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An opened container that was checked to be fit for the contract. One SDK client serves all its users, so that what one of them wrote the others
 * read. Thread-safe.
 */
public final class CosmosStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CosmosStore.class);

    private final CosmosStoreConfig config;
    private final CosmosAsyncClient client;
    private final boolean expiryOn;

    private CosmosStore(CosmosStoreConfig config, CosmosAsyncClient client, boolean expiryOn) {
        this.config = config;
        this.client = client;
        this.expiryOn = expiryOn;
    }

    /**
     * Connects and checks: reachable, key accepted, one write region, container present with the right partition key. Takes a few seconds at most.
     *
     * @throws ProviderException naming the place and the remedy; permanent, except when the endpoint can't be reached
     */
    public static CosmosStore open(CosmosStoreConfig config) {
        CosmosAsyncClient client = Connection.connect("openStore", config);
        try {
            CosmosContainerProperties properties = Connection.containerProperties("openStore", config, client);
            boolean expiryOn = checked(config, properties);
            LOG.atInfo()
                    .addKeyValue("account", config.host())
                    .addKeyValue("database", config.database())
                    .addKeyValue("container", config.container())
                    .log("store opened");
            return new CosmosStore(config, client, expiryOn);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Creates the database and the container where they are missing; existing ones are left as they are. Needs an account key: data-plane roles
     * cannot create.
     *
     * @throws ProviderException naming the place and the remedy
     */
    public static void provision(CosmosStoreConfig config) {
        CosmosAsyncClient client = Connection.connect("provisionStore", config);
        try {
            Connection.create("provisionStore", config, client);
        } finally {
            client.close();
        }
    }

    private static boolean checked(CosmosStoreConfig config, CosmosContainerProperties properties) {
        var paths = properties.getPartitionKeyDefinition().getPaths();
        if (paths.size() != 1 || !paths.get(0).equals(ContainerDefinition.PARTITION_KEY_PATH)) {
            throw ProviderException.permanent(
                    "openStore",
                    place(config) + " is partitioned by " + paths + ", the contract needs ["
                            + ContainerDefinition.PARTITION_KEY_PATH
                            + "]; a partition key can't be changed: name another container, and provision it");
        }
        boolean expiryOn = properties.getDefaultTimeToLiveInSeconds() != null;
        if (!expiryOn) {
            LOG.atWarn()
                    .addKeyValue("container", config.container())
                    .log("time to live is off, so receipts never expire; set the container's defaultTtl to -1"
                            + " (nothing expires by itself, only documents that carry a ttl)");
        }
        return expiryOn;
    }

    static String place(CosmosStoreConfig config) {
        return "container '" + config.container() + "' in database '" + config.database() + "' at " + config.endpoint();
    }

    /** The container. */
    public CosmosAsyncContainer container() {
        return database().getContainer(config.container());
    }

    /** The database it lies in. */
    public CosmosAsyncDatabase database() {
        return client.getDatabase(config.database());
    }

    /** The account's host name. */
    public String accountName() {
        return config.host();
    }

    /** Name of the database. */
    public String databaseName() {
        return config.database();
    }

    /** Name of the container. */
    public String containerName() {
        return config.container();
    }

    /** Whether documents with a {@code ttl} expire; when not, receipts stay until a sweep removes them. */
    public boolean isExpiryOn() {
        return expiryOn;
    }

    /** Closes the client. Requests under way end with a retryable failure. */
    @Override
    public void close() {
        client.close();
    }
}
