package io.sluice.examples.contract;

import io.sluice.provider.model.ReferenceContractStores;

/** The end-to-end scenarios on the model of the contract. */
class ReferenceEndToEndTest extends EndToEndSuite {
    ReferenceEndToEndTest() {
        super(new ReferenceContractStores());
    }
}
