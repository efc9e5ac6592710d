package io.sluice.provider.contract;

import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceTurns;
import io.sluice.provider.Provider;
import java.time.Duration;

/** One empty store of a test, with the few things a test must do to it that the contract has no operation for. */
public interface ContractStore extends AutoCloseable {
    /** The provider under test; another one after {@link #corruptHistory}, as after a restart. */
    Provider provider();

    /** A second provider on the same store, as in another process. The store closes it. */
    Provider anotherProvider();

    /**
     * A provider whose acks leave what goes to other instances to {@link #deliver}; for a store without that step, any
     * provider.
     */
    default Provider leavingDelivery() {
        return provider();
    }

    /** Delivers what acks left behind, as who runs beside the provider does. */
    default void deliver() {}

    /** From now on the store turns one in {@code every} requests away as too many, if it can be told so. */
    default void throttle(int every) {}

    /** Unique starts as a provider of this store offers them; for a store without them, its suite fails. */
    default InstanceStarts starts(Provider of) {
        throw new AssertionError("the store offers no unique starts: " + of.name());
    }

    /** Looking for instances as a provider of this store offers it; for a store without it, its suite fails. */
    default InstanceQueries queries(Provider of) {
        throw new AssertionError("the store offers no looking for instances: " + of.name());
    }

    /** Turns of named instances as a provider of this store offers them; for a store without them, its suite fails. */
    default InstanceTurns turns(Provider of) {
        throw new AssertionError("the store offers no turns of named instances: " + of.name());
    }

    /** A provider that drops events to instances that never started; for a store without that, its suite fails. */
    default Provider droppingOrphanEvents() {
        throw new AssertionError("the store drops no events");
    }

    /** Makes every stored event of the instance undecodable, and forgets what the provider remembers of it. */
    void corruptHistory(String instance);

    /** Highest stored attempt count among the instance's messages; 0 when there are none. */
    int maxAttemptCount(String instance);

    /**
     * From now on only {@link #pass} moves the store's time, where it can be told so: a busy machine then lets no lock
     * lapse.
     */
    default void stopClock() {}

    /** Lets time pass for the store: by waiting, or by moving the clock it was given. */
    void pass(Duration time);

    @Override
    void close();
}
