package io.sluice.provider.model;

import io.sluice.provider.contract.BulkDeletionContract;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.contract.CustomStatusContract;
import io.sluice.provider.contract.DeletionContract;
import io.sluice.provider.contract.ErrorHandlingContract;
import io.sluice.provider.contract.InstanceExtContract;
import io.sluice.provider.contract.InstanceQueriesContract;
import io.sluice.provider.contract.KeyValueDeltaContract;
import io.sluice.provider.contract.KeyValueStoreContract;
import io.sluice.provider.contract.ManagementContract;
import io.sluice.provider.contract.PruneContract;
import org.junit.jupiter.api.Nested;

/** The suites of the contract that every store keeps. */
public abstract class ConformanceSuite extends FetchingSuite {
    private final ContractStores stores;

    /** On these stores. */
    protected ConformanceSuite(ContractStores stores) {
        super(stores);
        this.stores = stores;
    }

    @Nested
    class ErrorHandling extends ErrorHandlingContract {
        ErrorHandling() {
            super(stores);
        }
    }

    @Nested
    class Management extends ManagementContract {
        Management() {
            super(stores);
        }
    }

    @Nested
    class Deletion extends DeletionContract {
        Deletion() {
            super(stores);
        }
    }

    @Nested
    class Prune extends PruneContract {
        Prune() {
            super(stores);
        }
    }

    @Nested
    class BulkDeletion extends BulkDeletionContract {
        BulkDeletion() {
            super(stores);
        }
    }

    @Nested
    class CustomStatus extends CustomStatusContract {
        CustomStatus() {
            super(stores);
        }
    }

    @Nested
    class KeyValueStore extends KeyValueStoreContract {
        KeyValueStore() {
            super(stores);
        }
    }

    @Nested
    class InstanceExt extends InstanceExtContract {
        InstanceExt() {
            super(stores);
        }
    }

    @Nested
    class InstanceQueries extends InstanceQueriesContract {
        InstanceQueries() {
            super(stores);
        }
    }

    @Nested
    class KeyValueDelta extends KeyValueDeltaContract {
        KeyValueDelta() {
            super(stores);
        }
    }
}
