package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.ThroughputProperties;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The relay's own client for the change feed and the leases. Leases need written documents in the responses, which the
 * store's client switches off. Thread-safe.
 */
public final class FeedClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String LEASE_PARTITION_KEY = "/id";
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int ONLY_DOCUMENTS_WITH_TTL = -1;

    private static final Logger LOG = LoggerFactory.getLogger(FeedClient.class);

    private final CosmosStoreConfig config;
    private final CosmosAsyncClient client;

    private FeedClient(CosmosStoreConfig config, CosmosAsyncClient client) {
        this.config = config;
        this.client = client;
    }

    /** Connects; the store was opened and checked before. */
    public static FeedClient open(CosmosStoreConfig config) {
        // Unlike a locked turn, feed and leases can wait when throttled: the SDK's own retries suffice.
        var builder = config.clientBuilder()
                .contentResponseOnWriteEnabled(true)
                .throttlingRetryOptions(new ThrottlingRetryOptions());
        return new FeedClient(config, builder.userAgentSuffix("sluice-relay").buildAsyncClient());
    }

    /** The container whose feed is read. */
    public CosmosAsyncContainer container() {
        return client.getDatabase(config.database()).getContainer(config.container());
    }

    /** The container of the leases. */
    public CosmosAsyncContainer leases() {
        return client.getDatabase(config.database()).getContainer(leasesName());
    }

    /** The prefix under which the container is published. */
    public PrefixRegistration registration() {
        return new PrefixRegistration(leases(), containerRid());
    }

    /** The name of the container of the leases. */
    public String leasesName() {
        return config.container() + "-leases";
    }

    /** The container's resource id, which changes if the container is deleted and created again. */
    public String containerRid() {
        return answer("read the container", container().read().map(answer -> answer.getProperties()))
                .getResourceId();
    }

    /** The present number of physical partitions of the container. */
    public int physicalPartitions() {
        return physicalRanges().size();
    }

    /**
     * The present key ranges of the physical partitions. The feed of each has the changes in the order of their time.
     */
    public List<KeyRange> physicalRanges() {
        return answer("read the feed ranges", container().getFeedRanges()).stream()
                .map(KeyRange::of)
                .toList();
    }

    /**
     * Checks the lease container.
     *
     * @param mayCreate whether to create it if it is missing, and to raise its throughput if it is too low
     * @throws PrerequisiteException if it is missing and may not be created, or has a partition key other than the id
     */
    public void ensureLeases(boolean mayCreate) {
        if (mayCreate) {
            // Version 2: ids of leases are longer than the 101 bytes that partition keys of version 1 may have.
            var partitionKey = new PartitionKeyDefinition()
                    .setPaths(List.of(LEASE_PARTITION_KEY))
                    .setKind(PartitionKind.HASH)
                    .setVersion(PartitionKeyDefinitionVersion.V2);
            // Otherwise the lock of a replica that crashes while it creates the leases would block all others for ever.
            var wanted = new CosmosContainerProperties(leasesName(), partitionKey)
                    .setDefaultTimeToLiveInSeconds(ONLY_DOCUMENTS_WITH_TTL);
            answer("create the lease container", created(wanted));
            raiseLeaseThroughput();
        }
        var properties = leaseProperties();
        var partitionKey = properties.getPartitionKeyDefinition();
        if (!partitionKey.getPaths().equals(List.of(LEASE_PARTITION_KEY))
                || partitionKey.getVersion() != PartitionKeyDefinitionVersion.V2
                || properties.getDefaultTimeToLiveInSeconds() == null) {
            throw new PrerequisiteException(
                    "the lease container " + leasesName() + " must be partitioned by " + LEASE_PARTITION_KEY
                            + " in version 2 (large partition keys) with time to live on (-1), was "
                            + partitionKey.getPaths() + " in version " + partitionKey.getVersion()
                            + " with time to live " + properties.getDefaultTimeToLiveInSeconds()
                            + "; delete it, and run provision",
                    null);
        }
    }

    /**
     * Raises the lease container's own throughput, if it has one, to the need of the leases of all partitions.
     */
    private void raiseLeaseThroughput() {
        int wanted = LeaseThroughput.of(physicalPartitions());
        Integer bought = leaseThroughput();
        if (bought != null && bought < wanted) {
            answer(
                    "raise the throughput of the lease container to " + wanted,
                    leases().replaceThroughput(ThroughputProperties.createManualThroughput(wanted)));
        }
    }

    /** Null if it has no throughput of its own, scales automatically, or this identity may not read it. */
    private @Nullable Integer leaseThroughput() {
        try {
            return leases().readThroughput()
                    .blockOptional(TIMEOUT)
                    .orElseThrow()
                    .getProperties()
                    .getManualThroughput();
        } catch (CosmosException e) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("the throughput of the lease container can't be changed and stays as it is");
            return null;
        }
    }

    /**
     * Lets documents with a time to live expire, if that is off; documents without one never expire.
     *
     * @return whether that was changed
     * @throws PrerequisiteException if it can't be changed
     */
    public boolean switchExpiryOn() {
        var properties = answer("read the container", container().read().map(answer -> answer.getProperties()));
        if (properties.getDefaultTimeToLiveInSeconds() != null) {
            return false;
        }
        properties.setDefaultTimeToLiveInSeconds(ONLY_DOCUMENTS_WITH_TTL);
        answer("set the container's defaultTtl to -1", container().replace(properties));
        return true;
    }

    /** The SDK reads first and then creates; another replica may create the container in between. */
    private Mono<String> created(CosmosContainerProperties wanted) {
        return client.getDatabase(config.database())
                .createContainerIfNotExists(wanted)
                .map(answer -> answer.getProperties().getId())
                .onErrorResume(
                        CosmosException.class,
                        e -> e.getStatusCode() == CONFLICT ? Mono.just(wanted.getId()) : Mono.error(e));
    }

    /** Whether there is a lease container; without one no relay has ever run on this store. */
    public boolean hasLeases() {
        try {
            answer("read the lease container", leases().read());
            return true;
        } catch (PrerequisiteException e) {
            if (isMissing(e)) {
                return false;
            }
            throw e;
        }
    }

    private static boolean isMissing(PrerequisiteException e) {
        return e.getCause() instanceof CosmosException answer && answer.getStatusCode() == NOT_FOUND;
    }

    private CosmosContainerProperties leaseProperties() {
        try {
            return answer("read the lease container", leases().read().map(answer -> answer.getProperties()));
        } catch (PrerequisiteException e) {
            if (isMissing(e)) {
                throw new PrerequisiteException(
                        "the lease container " + leasesName() + " is missing in database " + config.database()
                                + "; run provision",
                        e);
            }
            throw e;
        }
    }

    private <T> T answer(String what, Mono<T> request) {
        try {
            return request.blockOptional(TIMEOUT).orElseThrow();
        } catch (RuntimeException e) {
            throw new PrerequisiteException(
                    "can't " + what + " at " + config.endpoint() + ": " + FailureReason.of(e), e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
