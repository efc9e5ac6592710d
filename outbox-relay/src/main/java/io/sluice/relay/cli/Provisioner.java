package io.sluice.relay.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.loop.StartRetry;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.runtime.RelayConnections;
import io.sluice.relay.topic.TopicAdmin;

/**
 * Creates missing containers and topics; waits for store and broker like the start of a relay. Creates nothing while it
 * is known that something would be refused.
 */
final class Provisioner {
    private Provisioner() {}

    /**
     * Creates the missing containers and topics.
     *
     * @param connectSinks whether to create the containers of the Kafka Connect sinks as well
     * @throws RelayStartException if store or broker do not answer within {@code SLUICE_START_TIMEOUT}, or refuse
     */
    static void run(RelayConfig config, boolean connectSinks) {
        try {
            new StartRetry(config.operations().startTimeout(), new StopRequest(), reason -> {})
                    .run(() -> once(config, connectSinks));
        } catch (PrerequisiteException | ProviderException e) {
            throw RelayStartException.of(e);
        }
    }

    private static boolean once(RelayConfig config, boolean connectSinks) {
        RelayConnections.prerequisites(config, config.kafka().access()).requireProvisionable();
        CosmosStore.provision(config.cosmos());
        try (var connections = RelayConnections.open(config)) {
            TopicAdmin.log(connections.prepare(true));
        }
        if (connectSinks) {
            SinkContainers.create(config.cosmos());
        }
        return true;
    }
}
