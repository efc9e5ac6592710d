package io.sluice.provider.model;

import io.sluice.provider.contract.AtomicityContract;
import io.sluice.provider.contract.CancellationContract;
import io.sluice.provider.contract.CapabilityFilteringContract;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.contract.InstanceCreationContract;
import io.sluice.provider.contract.InstanceLockingContract;
import io.sluice.provider.contract.InstanceStartsContract;
import io.sluice.provider.contract.InstanceTurnsContract;
import io.sluice.provider.contract.LockExpirationContract;
import io.sluice.provider.contract.LongPollingContract;
import io.sluice.provider.contract.ManyTagsContract;
import io.sluice.provider.contract.MultiExecutionContract;
import io.sluice.provider.contract.OrchestrationFilterContract;
import io.sluice.provider.contract.OrphanEventsContract;
import io.sluice.provider.contract.PoisonMessageContract;
import io.sluice.provider.contract.QueueSemanticsContract;
import io.sluice.provider.contract.SessionsContract;
import io.sluice.provider.contract.TagFilteringContract;
import org.junit.jupiter.api.Nested;

/** The suites of the contract about work that is enqueued, fetched, locked and acked: how it is found matters there. */
public abstract class FetchingSuite {
    private final ContractStores stores;

    /** On these stores. */
    protected FetchingSuite(ContractStores stores) {
        this.stores = stores;
    }

    @Nested
    class Atomicity extends AtomicityContract {
        Atomicity() {
            super(stores);
        }
    }

    @Nested
    class InstanceCreation extends InstanceCreationContract {
        InstanceCreation() {
            super(stores);
        }
    }

    @Nested
    class InstanceLocking extends InstanceLockingContract {
        InstanceLocking() {
            super(stores);
        }
    }

    @Nested
    class LockExpiration extends LockExpirationContract {
        LockExpiration() {
            super(stores);
        }
    }

    @Nested
    class MultiExecution extends MultiExecutionContract {
        MultiExecution() {
            super(stores);
        }
    }

    @Nested
    class QueueSemantics extends QueueSemanticsContract {
        QueueSemantics() {
            super(stores);
        }
    }

    @Nested
    class LongPolling extends LongPollingContract {
        LongPolling() {
            super(stores);
        }
    }

    @Nested
    class PoisonMessage extends PoisonMessageContract {
        PoisonMessage() {
            super(stores);
        }
    }

    @Nested
    class Cancellation extends CancellationContract {
        Cancellation() {
            super(stores);
        }
    }

    @Nested
    class CapabilityFiltering extends CapabilityFilteringContract {
        CapabilityFiltering() {
            super(stores);
        }
    }

    @Nested
    class Sessions extends SessionsContract {
        Sessions() {
            super(stores);
        }
    }

    @Nested
    class TagFiltering extends TagFilteringContract {
        TagFiltering() {
            super(stores);
        }
    }

    @Nested
    class InstanceStarts extends InstanceStartsContract {
        InstanceStarts() {
            super(stores);
        }
    }

    @Nested
    class OrchestrationFilter extends OrchestrationFilterContract {
        OrchestrationFilter() {
            super(stores);
        }
    }

    @Nested
    class ManyTags extends ManyTagsContract {
        ManyTags() {
            super(stores);
        }
    }

    @Nested
    class InstanceTurns extends InstanceTurnsContract {
        InstanceTurns() {
            super(stores);
        }
    }

    @Nested
    class OrphanEvents extends OrphanEventsContract {
        OrphanEvents() {
            super(stores);
        }
    }
}
