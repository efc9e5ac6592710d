package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PriorityLevel;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.SchemaVersion;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.RequestLimits;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.ServiceClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An opened container that was checked to be fit for the contract. One SDK client serves all its users, so that what
 * one of them wrote the others read. Thread-safe.
 */
public final class CosmosStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CosmosStore.class);
    private static final String SCANS = "sluice-scans";

    private final CosmosStoreConfig config;
    private final CosmosAsyncClient client;
    private final WorkStore workStore;
    private final boolean expiryOn;
    private final List<String> differences;
    private final ServiceClock clock;
    private final RequestLimits limits = new RequestLimits();
    private final AtomicBoolean isLimited = new AtomicBoolean();
    private final AtomicBoolean areScansGrouped = new AtomicBoolean();
    private final ClockObserver clockObserver;
    private volatile boolean closed;

    private CosmosStore(
            CosmosStoreConfig config,
            CosmosAsyncClient client,
            CosmosContainerProperties properties,
            List<String> differences,
            ServiceClock clock) {
        this.config = config;
        this.client = client;
        this.workStore =
                new WorkStore(config.host(), config.database(), config.container(), properties.getResourceId());
        this.expiryOn = properties.getDefaultTimeToLiveInSeconds() != null;
        this.differences = differences;
        this.clock = clock;
        this.clockObserver = new ClockObserver(clock, container());
    }

    /**
     * Connects and checks: reachable over a trusted connection, credential accepted, one write region, container
     * present with the right partition key, keeping its documents, and of no newer form than this release knows. What
     * may be lived with is logged as a warning, see {@link #differences}. Takes a few seconds at most.
     *
     * @throws ProviderException naming the place and the remedy; permanent, except when the endpoint can't be reached,
     *     or says now this time, now another
     */
    public static CosmosStore open(CosmosStoreConfig config) {
        return open(config, InstantSource.system());
    }

    static CosmosStore open(CosmosStoreConfig config, InstantSource machineClock) {
        CosmosAsyncClient client = Connection.connect("openStore", config);
        try {
            ServiceClock clock = new ServiceClock(machineClock);
            CosmosContainerProperties properties = description(config, client, clock);
            List<String> differences = checked(config, properties);
            checkVersion(config, client);
            LOG.atInfo()
                    .addKeyValue("account", config.host())
                    .addKeyValue("database", config.database())
                    .addKeyValue("container", config.container())
                    .log("the store is open");
            return new CosmosStore(config, client, properties, differences, clock);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * From now on all that is asked through this store, by whatever provider, takes so many request units a second on
     * average, and waits for its turn like what the service throttles. A request that costs more is sent, and what
     * follows waits the longer. Acks and renewals wait as well: a process that polls for work asks each physical
     * partition twice a second, for some 3 request units each, and needs a limit well above that. What scans take is
     * not counted where they have {@link #lowerPriorityOfScans low priority}.
     *
     * @param perSecond 1 or more
     * @throws IllegalArgumentException when it is less
     * @throws IllegalStateException when the store has a limit already
     */
    public void limitRequestUnits(int perSecond) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("perSecond must be 1 or more, was " + perSecond);
        }
        if (!isLimited.compareAndSet(false, true)) {
            throw new IllegalStateException("the store has a limit already");
        }
        container()
                .enableLocalThroughputControlGroup(new ThroughputControlGroupConfigBuilder()
                        .groupName("sluice")
                        .targetThroughput(perSecond)
                        .defaultControlGroup(true)
                        .build());
    }

    /**
     * From now on at most so many requests of all that use this store are under way at once; what exceeds it waits, in
     * order, as long as its operation has patience, and two seconds at least. A search for work is one for each
     * physical partition, as many at once as the limit allows.
     *
     * @param most 1 or more
     * @throws IllegalArgumentException when it is less
     */
    public void limitRequestsAtOnce(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most must be 1 or more, was " + most);
        }
        limits.limitAtOnce(most);
    }

    /**
     * From now on scans ask with low priority: sweeps, searches for what acks left undelivered, clean-ups of sessions,
     * bulk operations. An account with priority-based execution throttles them first; others pay no heed.
     *
     * @throws IllegalStateException when they have it already
     */
    public void lowerPriorityOfScans() {
        if (!areScansGrouped.compareAndSet(false, true)) {
            throw new IllegalStateException("scans have low priority already");
        }
        container()
                .enableLocalThroughputControlGroup(new ThroughputControlGroupConfigBuilder()
                        .groupName(SCANS)
                        .priorityLevel(PriorityLevel.LOW)
                        .build());
        limits.groupScans(SCANS);
    }

    /**
     * From now on scans, as {@link #lowerPriorityOfScans} lists them, belong to a throughput control group of the SDK,
     * which the caller enables on {@link #container}: for scans with a limit of their own, or with a priority.
     *
     * @param group its name
     * @throws IllegalStateException when they have low priority, or a group, already
     */
    public void groupScans(String group) {
        if (!areScansGrouped.compareAndSet(false, true)) {
            throw new IllegalStateException("scans have low priority, or a group, already");
        }
        limits.groupScans(group);
    }

    /** What all that is asked through this store keeps to. */
    public RequestLimits limits() {
        return limits;
    }

    /**
     * Creates the database and the container where they are missing, with the config's throughput; existing ones are
     * left as they are. Needs an account key: data-plane roles cannot create.
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

    private static CosmosContainerProperties description(
            CosmosStoreConfig config, CosmosAsyncClient client, ServiceClock clock) {
        // The first answer on a new client takes long, which says little about the time; the second is quick.
        Connection.container("openStore", config, client);
        return ClockObserver.ask(clock, "openStore", () -> Connection.container("openStore", config, client))
                .getProperties();
    }

    private static List<String> checked(CosmosStoreConfig config, CosmosContainerProperties properties) {
        var paths = properties.getPartitionKeyDefinition().getPaths();
        if (paths.size() != 1 || !paths.get(0).equals(ContainerDefinition.PARTITION_KEY_PATH)) {
            throw ProviderException.permanent(
                    "openStore",
                    place(config) + " is partitioned by " + paths + ", the contract needs ["
                            + ContainerDefinition.PARTITION_KEY_PATH
                            + "]; a partition key can't be changed: name another container, and provision it");
        }
        Integer timeToLive = properties.getDefaultTimeToLiveInSeconds();
        if (timeToLive != null && timeToLive > 0) {
            throw ProviderException.permanent(
                    "openStore",
                    place(config) + " deletes every document " + timeToLive
                            + " seconds after its last change, histories and queued work too; set the container's"
                            + " defaultTtl to -1");
        }
        List<String> differences = ContainerDifferences.of(properties);
        differences.forEach(difference -> LOG.atWarn()
                .addKeyValue("database", config.database())
                .addKeyValue("container", config.container())
                .log("the container differs from what the contract expects: {}", difference));
        return differences;
    }

    /** Only a release that changes the store for all writes the document; without it, the store is of version 1. */
    private static void checkVersion(CosmosStoreConfig config, CosmosAsyncClient client) {
        Optional<ObjectNode> store = Connection.document("openStore", config, client, DocumentIds.STORE);
        long version = store.map(document -> version(config, document)).orElse(SchemaVersion.KNOWN);
        if (version > SchemaVersion.KNOWN) {
            throw ProviderException.permanent(
                    "openStore",
                    place(config) + " holds a store of schema version " + version + ", this release knows "
                            + SchemaVersion.KNOWN + ", and has read and written nothing else there; start a release"
                            + " that knows version " + version + " (docs/compatibility.md)");
        }
    }

    private static long version(CosmosStoreConfig config, ObjectNode store) {
        try {
            return SchemaVersion.of(store);
        } catch (MalformedDocumentException e) {
            throw ProviderException.permanent("openStore", place(config) + ": " + e.getMessage(), e);
        }
    }

    static String place(CosmosStoreConfig config) {
        return "container '" + config.container() + "' in database '" + config.database() + "' at " + config.endpoint();
    }

    /**
     * Whether what the client library threw means that the store gave no answer at all, though the exception has a
     * status, such as 408: that is the library's own then.
     */
    public static boolean isSilence(CosmosException failure) {
        return Failures.isSilence(failure);
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

    /** How announcements name the container. */
    public WorkStore workStore() {
        return workStore;
    }

    /** The service's time, estimated from its answers; what {@link #clockOffset} says is put right in it. */
    public InstantSource clock() {
        return clock;
    }

    /** What has to be added to this machine's clock to get the service's time. */
    public Duration clockOffset() {
        return clock.offset();
    }

    /** Keeps {@link #clock} right by the answers to the requests that it observes. */
    public RequestObserver clockObserver() {
        return clockObserver;
    }

    /** Whether documents with a {@code ttl} expire; when not, receipts stay until a sweep removes them. */
    public boolean isExpiryOn() {
        return expiryOn;
    }

    /**
     * How the container differs from the one {@link #provision} would have created (indexing policy, time to live,
     * version of the partition key), each with what it costs and what to do; none when it is as it should be. As it was
     * when the store was opened.
     */
    public List<String> differences() {
        return differences;
    }

    boolean isClosed() {
        return closed;
    }

    /** Closes the client. Requests under way end with a retryable failure. */
    @Override
    public void close() {
        closed = true;
        client.close();
    }
}
