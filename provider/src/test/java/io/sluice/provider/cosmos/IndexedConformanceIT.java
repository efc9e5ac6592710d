package io.sluice.provider.cosmos;

import io.sluice.provider.cosmos.CosmosContractStores.Dispatch;
import io.sluice.provider.model.ConformanceSuite;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The provider contract on Cosmos by one index of work for all dispatchers, which is behind a switch so far. */
@Order(1)
class IndexedConformanceIT extends ConformanceSuite {
    @RegisterExtension
    static final CosmosContractStores stores = new CosmosContractStores(Dispatch.POLLED_BY_INDEX);

    IndexedConformanceIT() {
        super(stores);
    }
}
