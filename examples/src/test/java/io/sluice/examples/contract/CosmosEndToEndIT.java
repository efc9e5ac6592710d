package io.sluice.examples.contract;

import io.sluice.provider.cosmos.CosmosContractStores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end-to-end scenarios on Cosmos: an account or Docker where there is one, else the embedded emulator. */
@Order(1)
class CosmosEndToEndIT extends EndToEndSuite {
    @RegisterExtension
    static final CosmosContractStores stores = new CosmosContractStores();

    CosmosEndToEndIT() {
        super(stores);
    }

    @Nested
    class OutboxFaults extends OutboxFaultsContract {
        OutboxFaults() {
            super(stores);
        }
    }
}
