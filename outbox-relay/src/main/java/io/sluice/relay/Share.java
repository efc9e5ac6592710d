package io.sluice.relay;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import java.util.List;

/**
 * Keeps a replica to its share of a container's throughput, by the SDK's throughput control. A request beyond it waits in this process, or is answered 429
 * without being sent, and is tried again as any that was throttled.
 */
final class Share {
    private static final String GROUP = "sluice-relay";

    private Share() {}

    /**
     * Limits what is asked through these.
     *
     * @param requestUnits a second over all of them; 0 leaves them alone
     * @param containers the same one by different clients, each of which gets an equal part
     */
    static void limit(int requestUnits, CosmosAsyncContainer... containers) {
        if (requestUnits == 0) {
            return;
        }
        var group = new ThroughputControlGroupConfigBuilder()
                .groupName(GROUP)
                .targetThroughput(Math.max(1, requestUnits / containers.length))
                .defaultControlGroup(true)
                .build();
        List.of(containers).forEach(container -> container.enableLocalThroughputControlGroup(group));
    }
}
