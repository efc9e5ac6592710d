package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.ThrottlingRetryOptions;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** The relay's own client for the change feed, which can wait when it is throttled. Thread-safe. */
public final class FeedClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int ONLY_DOCUMENTS_WITH_TTL = -1;

    private final CosmosStoreConfig config;
    private final CosmosAsyncClient client;

    private FeedClient(CosmosStoreConfig config, CosmosAsyncClient client) {
        this.config = config;
        this.client = client;
    }

    /** Connects; the store was opened and checked before. */
    public static FeedClient open(CosmosStoreConfig config) {
        // Unlike a locked turn, the feed can wait when throttled: the SDK's own retries suffice.
        var builder = config.clientBuilder().throttlingRetryOptions(new ThrottlingRetryOptions());
        return new FeedClient(config, builder.userAgentSuffix("sluice-relay").buildAsyncClient());
    }

    /** The container whose feed is read. */
    public CosmosAsyncContainer container() {
        return client.getDatabase(config.database()).getContainer(config.container());
    }

    /** The prefix under which the container is published. */
    public PrefixRegistration registration() {
        return new PrefixRegistration(container(), containerRid());
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

    private <T> T answer(String what, Mono<T> request) {
        try {
            return BoundedAnswer.of(request, TIMEOUT, "to " + what).orElseThrow();
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
