package io.sluice.provider.cosmos;

import io.sluice.provider.cosmos.CosmosContractStores.Dispatch;
import io.sluice.provider.model.FetchingSuite;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@link DispatchedConformanceIT} has about the finding of work, for each change. */
@Tag(CosmosContractStores.ANNOUNCED_TAG)
@Order(1)
class DispatchedFetchesIT extends FetchingSuite {
    @RegisterExtension
    static final CosmosContractStores stores = new CosmosContractStores(Dispatch.ANNOUNCED_BEFORE_EACH_FETCH);

    DispatchedFetchesIT() {
        super(stores);
    }
}
