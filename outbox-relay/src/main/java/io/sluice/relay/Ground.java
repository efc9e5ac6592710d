package io.sluice.relay;

import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.TopicAdmin;
import io.sluice.relay.ops.Topics;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a relay stands on: the checked store, the connection for its feed, and Kafka.
 *
 * @param store opened and checked
 * @param feed the relay's own connection
 * @param kafka how to reach Kafka
 * @param topics the names used there
 */
record Ground(RelayConfig config, CosmosStore store, FeedClient feed, KafkaAccess kafka, Topics topics)
        implements AutoCloseable {
    private static final int LEAST_RANGES = 4;

    /**
     * Connects to both, Kafka first: it answers faster.
     *
     * @throws io.sluice.relay.ops.StartFault when Kafka can't be reached
     * @throws io.sluice.provider.ProviderException when the store can't be reached or doesn't fit
     */
    static Ground open(RelayConfig config) {
        var kafka = new KafkaAccess(
                config.kafka().bootstrapServers(), config.kafka().clientSettings());
        var topics = new Topics(config.kafka().prefix());
        try (var admin = kafka.admin()) {
            new TopicAdmin(admin, kafka, topics).mustAnswer();
        }
        var store = CosmosStore.open(config.cosmos());
        try {
            return new Ground(config, store, FeedClient.open(config.cosmos()), kafka, topics);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /**
     * Makes sure that leases and topics are there.
     *
     * @param mayCreate whether to make what is missing
     * @return into how many ranges the key space is cut
     * @throws io.sluice.relay.ops.StartFault naming what is missing or wrong, with the remedy
     */
    int prepare(boolean mayCreate) {
        feed.ensureLeases(mayCreate);
        var provisioning = config.kafka().provisioning();
        var rules = new TopicAdmin.Rules(mayCreate, provisioning.partitions(), provisioning.replicas());
        try (Admin admin = kafka.admin()) {
            return new TopicAdmin(admin, kafka, topics).ensure(rules, this::newRanges);
        }
    }

    /** Reading a part of a physical partition costs a scan of its feed, so not many more than there are of these. */
    private int newRanges() {
        return Math.max(LEAST_RANGES, 2 * feed.physicalPartitions());
    }

    /** Names account, database and container: several stores can share a Kafka. */
    URI eventSource() {
        try {
            return new URI(
                    "cosmos", store.accountName(), "/" + store.databaseName() + "/" + store.containerName(), null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("account, database and container make no event source", e);
        }
    }

    @Override
    public void close() {
        feed.close();
        store.close();
    }
}
