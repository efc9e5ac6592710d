package io.sluice.relay;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.ops.StartFault;
import io.sluice.relay.ops.Stop;

/** Makes the container, the lease container and the topics that are missing; waits for store and broker as a relay's start does. */
final class Provisioning {
    private Provisioning() {}

    /**
     * Makes what is missing.
     *
     * @throws RelayStartException when store or broker stay away for {@code SLUICE_START_TIMEOUT}, or refuse what no time mends
     */
    static void run(RelayConfig config) {
        try {
            new PatientStart(config.operations().startTimeout(), new Stop(), reason -> {}).run(() -> once(config));
        } catch (StartFault | ProviderException e) {
            throw new RelayStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean once(RelayConfig config) {
        CosmosStore.provision(config.cosmos());
        try (var ground = Ground.open(config)) {
            ground.prepare(true);
        }
        return true;
    }
}
