package io.sluice.relay.ledger.load;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An administrator who looks around while everything works. Not thread-safe. */
public final class Looks {
    private static final Logger LOG = LoggerFactory.getLogger(Looks.class);

    private final Provider provider;
    private final ProviderAdmin admin;
    private final Random random;

    /** @param seed of what is looked at */
    public Looks(Provider provider, long seed) {
        this.provider = provider;
        this.admin = provider.asManagementCapability().orElseThrow();
        this.random = new Random(seed);
    }

    /** Reads a little of everything. */
    public void look(int orders) {
        try {
            lookAround(orders);
        } catch (ProviderException e) {
            if (!e.retryable()) {
                throw e;
            }
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("can't look now");
        }
    }

    private void lookAround(int orders) {
        admin.getQueueDepths();
        admin.getSystemMetrics();
        var running = admin.listInstancesByStatus("Running");
        var hub = Instances.hub(random.nextInt(Instances.HUBS));
        if (running.contains(hub)) {
            admin.getInstanceInfo(hub);
            admin.listExecutions(hub);
            provider.getInstanceStats(hub);
            provider.getKvAllValues(hub);
        }
        if (orders > 0) {
            lookAtOrder(Instances.order(Math.max(0, orders - 1 - random.nextInt(20))));
        }
    }

    private void lookAtOrder(String order) {
        try {
            provider.getCustomStatus(order, 0);
            provider.getKvValue(order, "state");
            admin.getInstanceTree(order);
            provider.read(order);
        } catch (ProviderException e) {
            if (e.retryable()) {
                throw e;
            }
            LOG.atDebug().addKeyValue("order", order).log("not begun yet, or deleted by now");
        }
    }
}
