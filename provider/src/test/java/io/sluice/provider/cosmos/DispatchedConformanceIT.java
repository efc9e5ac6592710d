package io.sluice.provider.cosmos;

import io.sluice.provider.cosmos.CosmosContractStores.Dispatch;
import io.sluice.provider.model.ConformanceSuite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The provider contract on Cosmos where work is announced and nobody asks the store for it. */
@Tag(CosmosContractStores.ANNOUNCED_TAG)
@Tag("thorough")
class DispatchedConformanceIT extends ConformanceSuite {
    @RegisterExtension
    static final CosmosContractStores stores = new CosmosContractStores(Dispatch.ANNOUNCED_BEFORE_EACH_FETCH);

    DispatchedConformanceIT() {
        super(stores);
    }
}
