package io.sluice.relay.runtime;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import com.azure.cosmos.models.PriorityLevel;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.ScanGroup;
import java.util.List;

/**
 * Limits a replica to its share of a container's throughput, by the SDK's throughput control, and its scans to a part
 * of that. A request beyond the limit waits in this process, or fails with 429 without being sent, and is repeated like
 * any throttled request. Scans ask with low priority: an account with priority-based execution throttles them first,
 * others pay no heed.
 */
final class ThroughputLimit {
    private static final String GROUP = "sluice-relay";
    /** The store's client, and the feed's: each gets an equal part. */
    private static final int CLIENTS = 2;
    /** Of a client's part, for scans that have no limit of their own. */
    private static final double SCANS = 0.25;
    /** Scans leave as much to the rest, whatever limit of their own they have. */
    private static final int LEFT = 2;

    private ThroughputLimit() {}

    /** What a client may take, in request units a second or as a share; 0 for no limit. */
    record Part(int scans, int others, double scansShare, double othersShare) {
        static Part of(RelayConfig.Operations config) {
            int own = config.scanLimit() / CLIENTS;
            int all = config.throughputLimit() / CLIENTS;
            double share = config.throughputShare() / CLIENTS;
            boolean isOwn = config.scanLimit() > 0;
            if (config.throughputLimit() > 0) {
                int scans = Math.max(1, isOwn ? Math.min(own, all / LEFT) : (int) (all * SCANS));
                return new Part(scans, Math.max(1, all - scans), 0, 0);
            }
            int scans = isOwn ? Math.max(1, own) : 0;
            return new Part(scans, 0, isOwn ? 0 : share * SCANS, share * (1 - SCANS));
        }
    }

    /**
     * Limits the requests of both clients, which read the same container.
     *
     * @param config the limits over both
     */
    static void apply(RelayConfig.Operations config, CosmosStore store, FeedClient feed) {
        var part = Part.of(config);
        for (var container : List.of(store.container(), feed.container())) {
            if (config.isThrottled()) {
                var all = new ThroughputControlGroupConfigBuilder()
                        .groupName(GROUP)
                        .defaultControlGroup(true);
                enable(container, all, part.others(), part.othersShare());
            }
            var scans = new ThroughputControlGroupConfigBuilder()
                    .groupName(ScanGroup.NAME)
                    .priorityLevel(PriorityLevel.LOW);
            enable(container, scans, part.scans(), part.scansShare());
        }
        store.groupScans(ScanGroup.NAME);
    }

    private static void enable(
            CosmosAsyncContainer container, ThroughputControlGroupConfigBuilder group, int limit, double share) {
        if (limit > 0) {
            group.targetThroughput(limit);
        } else if (share > 0) {
            group.targetThroughputThreshold(share);
        }
        container.enableLocalThroughputControlGroup(group.build());
    }
}
