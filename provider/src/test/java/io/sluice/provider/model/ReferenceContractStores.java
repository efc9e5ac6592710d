package io.sluice.provider.model;

import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceTurns;
import io.sluice.provider.Provider;
import io.sluice.provider.contract.ContractStore;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.cosmos.SteppedClock;
import java.time.Duration;
import java.time.InstantSource;

/** Models for the contract's suites. */
public final class ReferenceContractStores implements ContractStores {
    /** Each store is a model of its own. */
    public ReferenceContractStores() {}

    @Override
    public ContractStore open() {
        return new Store();
    }

    @Override
    public boolean pollsLong() {
        return false;
    }

    /** All providers on it are the one model. */
    private static final class Store implements ContractStore {
        private final SteppedClock clock = new SteppedClock(InstantSource.system());
        private final ReferenceStore store = new ReferenceStore(clock);

        @Override
        public Provider provider() {
            return store;
        }

        @Override
        public Provider anotherProvider() {
            return store;
        }

        @Override
        public InstanceStarts starts(Provider of) {
            return store.instances();
        }

        @Override
        public InstanceQueries queries(Provider of) {
            return store.instances();
        }

        @Override
        public InstanceTurns turns(Provider of) {
            return store::fetchTurnOf;
        }

        @Override
        public Provider droppingOrphanEvents() {
            store.dropOrphanEvents();
            return store;
        }

        @Override
        public void corruptHistory(String instance) {
            store.corrupt(instance);
        }

        @Override
        public int maxAttemptCount(String instance) {
            return store.maxAttempts(instance);
        }

        @Override
        public void pass(Duration time) {
            clock.step(time);
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
