package io.sluice.provider.cosmos;

import io.sluice.provider.model.ConformanceSuite;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The provider contract on Cosmos: an account or Docker where there is one, else the embedded emulator. */
@Order(1)
class CosmosConformanceIT extends ConformanceSuite {
    @RegisterExtension
    static final CosmosContractStores stores = new CosmosContractStores();

    CosmosConformanceIT() {
        super(stores);
    }
}
