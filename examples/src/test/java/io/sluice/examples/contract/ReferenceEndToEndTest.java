package io.sluice.examples.contract;

import io.sluice.provider.model.ReferenceContractStores;
import org.junit.jupiter.api.Tag;

/** The end-to-end scenarios on the model of the contract: they judge the scenarios, of which Cosmos has all. */
@Tag("thorough")
class ReferenceEndToEndTest extends EndToEndSuite {
    ReferenceEndToEndTest() {
        super(new ReferenceContractStores());
    }
}
