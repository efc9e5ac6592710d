package io.sluice.provider.contract;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What all categories share: an empty store per test, and the steps their scenarios are made of. Tests bear the names
 * of the contract's table and may run at the same time.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class ProviderContract {
    private final ContractStores stores;
    private ContractStore store;

    /** Steps on the test's store. */
    protected ProviderSteps steps;

    /** Runs the category on stores from there. */
    protected ProviderContract(ContractStores stores) {
        this.stores = stores;
    }

    @BeforeEach
    void openStore() {
        store = stores.open();
        if (!needsRunningClock()) {
            store.stopClock();
        }
        steps = new ProviderSteps(store, stores.lockTimeout());
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    /** Whether time must go on by itself, because a runtime works here. */
    protected boolean needsRunningClock() {
        return false;
    }

    /** Another empty store, for scenarios that need two; the test closes it. */
    protected final ContractStore anotherStore() {
        return stores.open();
    }

    protected final ProviderSteps stepsOn(ContractStore other) {
        return new ProviderSteps(other, stores.lockTimeout());
    }

    protected final Provider provider() {
        return store.provider();
    }

    protected final ProviderAdmin admin() {
        return steps.admin();
    }

    protected final ContractStore store() {
        return store;
    }

    protected final ContractStores stores() {
        return stores;
    }

    /** LT of the table. */
    protected final Duration lockTimeout() {
        return stores.lockTimeout();
    }

    /** Past the end of a lock of LT. */
    protected final void passLockTimeout() {
        steps.pass(lockTimeout().plusMillis(100));
    }
}
