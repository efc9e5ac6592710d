package io.sluice.relay;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import java.util.List;

/**
 * Limits a replica to its share of a container's throughput, by the SDK's throughput control. A request beyond the
 * limit waits in this process, or fails with 429 without being sent, and is repeated like any throttled request.
 */
final class ThroughputLimit {
    private static final String GROUP = "sluice-relay";

    private ThroughputLimit() {}

    /**
     * Limits the requests of clients.
     *
     * @param config the limit or the share over all clients; without both there is no limit
     * @param containers the same container by different clients, each of which gets an equal part
     */
    static void apply(RelayConfig.Operations config, CosmosAsyncContainer... containers) {
        var group = new ThroughputControlGroupConfigBuilder().groupName(GROUP).defaultControlGroup(true);
        if (config.throughputLimit() > 0) {
            group.targetThroughput(Math.max(1, config.throughputLimit() / containers.length));
        } else if (config.throughputShare() > 0) {
            group.targetThroughputThreshold(config.throughputShare() / containers.length);
        } else {
            return;
        }
        var limits = group.build();
        List.of(containers).forEach(container -> container.enableLocalThroughputControlGroup(limits));
    }
}
