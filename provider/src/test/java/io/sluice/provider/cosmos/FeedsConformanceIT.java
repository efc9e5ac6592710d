package io.sluice.provider.cosmos;

import io.sluice.provider.cosmos.CosmosContractStores.Dispatch;
import io.sluice.provider.model.ConformanceSuite;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The provider contract on Cosmos by a feed of candidates for each filter, until that goes. */
@Order(1)
class FeedsConformanceIT extends ConformanceSuite {
    @RegisterExtension
    static final CosmosContractStores stores = new CosmosContractStores(Dispatch.POLLED_BY_FEEDS);

    FeedsConformanceIT() {
        super(stores);
    }
}
