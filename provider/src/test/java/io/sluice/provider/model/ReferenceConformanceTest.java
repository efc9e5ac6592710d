package io.sluice.provider.model;

/** The model keeps the contract itself, or what agrees with it would prove nothing. */
class ReferenceConformanceTest extends ConformanceSuite {
    ReferenceConformanceTest() {
        super(new ReferenceContractStores());
    }
}
