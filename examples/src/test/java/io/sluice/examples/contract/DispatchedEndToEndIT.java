package io.sluice.examples.contract;

import io.sluice.provider.cosmos.CosmosContractStores;
import io.sluice.provider.cosmos.CosmosContractStores.Dispatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The end-to-end scenarios on Cosmos where work is announced and nobody asks the store for it. The first tier has the
 * contract announced (of the provider), these scenarios polled, and whole runtimes that Kafka tells (the demo).
 */
@Tag("thorough")
@Tag(CosmosContractStores.ANNOUNCED_TAG)
class DispatchedEndToEndIT extends EndToEndSuite {
    @RegisterExtension
    static final CosmosContractStores stores = new CosmosContractStores(Dispatch.ANNOUNCED_BEFORE_EACH_FETCH);

    DispatchedEndToEndIT() {
        super(stores);
    }
}
