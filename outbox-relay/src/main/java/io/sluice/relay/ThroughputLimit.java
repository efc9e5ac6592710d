package io.sluice.relay;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import java.util.List;

/**
 * Keeps a replica to its share of a container's throughput, by the SDK's throughput control. A request beyond it waits
 * in this process, or is answered 429 without being sent, and is tried again as any that was throttled.
 */
final class ThroughputLimit {
    private static final String GROUP = "sluice-relay";

    private ThroughputLimit() {}

    /**
     * Limits what is asked through these.
     *
     * @param config the limit or the share over all of them; neither leaves them alone
     * @param containers the same one by different clients, each of which gets an equal part
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
