package io.sluice.examples.contract;

import io.sluice.provider.contract.ContractStores;
import org.junit.jupiter.api.Nested;

/** The end-to-end scenarios that any store must pass. */
abstract class EndToEndSuite {
    private final ContractStores stores;

    EndToEndSuite(ContractStores stores) {
        this.stores = stores;
    }

    @Nested
    class RaceReplay extends RaceReplayContract {
        RaceReplay() {
            super(stores);
        }
    }

    @Nested
    class Samples extends SamplesContract {
        Samples() {
            super(stores);
        }
    }

    @Nested
    class SampleInstances extends SampleInstancesContract {
        SampleInstances() {
            super(stores);
        }
    }

    @Nested
    class SampleState extends SampleStateContract {
        SampleState() {
            super(stores);
        }
    }

    @Nested
    class SessionRuns extends SessionRunsContract {
        SessionRuns() {
            super(stores);
        }
    }

    @Nested
    class SessionLimits extends SessionLimitsContract {
        SessionLimits() {
            super(stores);
        }
    }

    @Nested
    class Stress extends StressContract {
        Stress() {
            super(stores);
        }
    }
}
