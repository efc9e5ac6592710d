package io.sluice.relay;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.control.PrerequisiteException;
import io.sluice.relay.loop.StopRequest;

/**
 * Makes the container, the lease container and the topics that are missing; waits for store and broker as a relay's
 * start does.
 */
final class Provisioner {
    private Provisioner() {}

    /**
     * Makes what is missing.
     *
     * @throws RelayStartException when store or broker stay away for {@code SLUICE_START_TIMEOUT}, or refuse what no
     *     time mends
     */
    static void run(RelayConfig config) {
        try {
            new StartRetry(config.operations().startTimeout(), new StopRequest(), reason -> {}).run(() -> once(config));
        } catch (PrerequisiteException | ProviderException e) {
            throw new RelayStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean once(RelayConfig config) {
        CosmosStore.provision(config.cosmos());
        try (var connections = RelayConnections.open(config)) {
            connections.prepare(true);
        }
        return true;
    }
}
