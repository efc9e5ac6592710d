package io.sluice.accountkit.site;

import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.ThroughputProperties;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Throughput;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A database of our own with a random name, which goes with all that is in it when this is closed, or one that was
 * prepared, which stays. Thread-safe: it may be closed while others work in it.
 */
public final class Site implements AutoCloseable {
    /** What the names of our databases begin with. */
    public static final String PREFIX = "sluice-account-kit-";

    /** The container of the requests that are measured one by one. */
    public static final String DOCUMENTS = "documents";

    /** The container of the provider. */
    public static final String STORE = "store";

    private static final int RANDOM_BYTES = 8;
    private static final int TRIES = 5;
    private static final int NOT_FOUND = 404;
    /** After these no database of that name is ours. */
    private static final Set<Integer> REFUSALS = Set.of(400, 401, 403, 409);

    private final Account account;
    private final CosmosStoreConfig config;
    private final boolean isOwn;
    private final Set<String> created = ConcurrentHashMap.newKeySet();
    private boolean begun;
    private volatile boolean closed;

    private Site(Account account, CosmosStoreConfig config, boolean isOwn) {
        this.account = account;
        this.config = config;
        this.isOwn = isOwn;
    }

    /** With a random name; nothing is created yet. */
    public static Site own(Account account, Throughput throughput) {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String database = PREFIX + HexFormat.of().formatHex(random);
        return new Site(account, in(database, account.config(), throughput), true);
    }

    /** In a database that has the two containers already, and keeps them. */
    public static Site prepared(Account account) {
        return new Site(account, in(account.config().database(), account.config(), Throughput.NONE), false);
    }

    /** The provider's container in a database of an account. */
    static CosmosStoreConfig in(String database, CosmosStoreConfig account, Throughput throughput) {
        return new CosmosStoreConfig(
                account.endpoint(), account.credential(), database, STORE, account.connectivity(), throughput);
    }

    /**
     * Creates the database and the two containers, unless they were prepared.
     *
     * @throws PrerequisiteException when the database is refused
     * @throws EndedException when this was closed before
     */
    public void begin() {
        if (isOwn) {
            createDatabase();
            create(DOCUMENTS, config.throughput());
            create(STORE, config.throughput());
        }
    }

    private synchronized void createDatabase() {
        requireOpen();
        begun = true;
        try {
            // Never one that is there already: it is somebody's.
            Calls.await(account.client().createDatabase(config.database()));
        } catch (CosmosException e) {
            begun = !REFUSALS.contains(e.getStatusCode());
            throw new PrerequisiteException("the account creates no database: " + FailureReason.of(e), e);
        }
    }

    /**
     * Creates a container as stores have it.
     *
     * @throws EndedException when this was closed before
     */
    public synchronized Documents create(String container, Throughput throughput) {
        // To provision creates the database too where it is missing, which nobody would remove again.
        requireOpen();
        CosmosStore.provision(config.withContainer(container).withThroughput(throughput));
        created.add(container);
        return container(container);
    }

    /**
     * Does nothing as long as something can be tried here.
     *
     * @throws EndedException when this was closed
     */
    public void requireOpen() {
        if (closed) {
            throw new EndedException();
        }
    }

    /** Removes a container, which then costs nothing any more. */
    public void remove(String container) {
        if (created.remove(container)) {
            Calls.await(database().getContainer(container).delete());
        }
    }

    /** Whether this container was created here. */
    public boolean hasCreated(String container) {
        return created.contains(container);
    }

    /** Whether containers may be created here, and bought throughput changed. */
    public boolean isOwn() {
        return isOwn;
    }

    /** A container that is there. */
    public Documents container(String name) {
        return new Documents(database().getContainer(name));
    }

    /** The container of the requests that are measured one by one. */
    public Documents documents() {
        return container(DOCUMENTS);
    }

    /** The change feed of {@link #documents}. */
    public Feed feed() {
        return new Feed(documents().container());
    }

    /** Where the provider's container is. */
    public CosmosStoreConfig store() {
        return config;
    }

    /** The provider's container. */
    public Documents storeContainer() {
        return container(STORE);
    }

    /** Changes what was bought for a container. */
    public void buy(Documents documents, int requestUnits) {
        Calls.await(documents.container().replaceThroughput(ThroughputProperties.createManualThroughput(requestUnits)));
    }

    /** The database's name. */
    public String name() {
        return config.database();
    }

    private CosmosAsyncDatabase database() {
        return account.client().getDatabase(config.database());
    }

    /**
     * Removes the database, if it is our own, however often that takes; does nothing when it was removed before.
     *
     * @throws RefusedException when it can't be removed
     * @throws NoAnswerException when no attempt got an answer
     */
    @Override
    public synchronized void close() {
        closed = true;
        if (isOwn && begun) {
            removeDatabase();
            begun = false;
        }
    }

    private void removeDatabase() {
        for (int tries = 1; ; tries++) {
            try {
                Calls.await(database().delete());
                return;
            } catch (CosmosException e) {
                if (e.getStatusCode() == NOT_FOUND) {
                    return;
                }
                if (tries == TRIES) {
                    throw new RefusedException("the removal of the database", Answer.of(e));
                }
            } catch (NoAnswerException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }
}
