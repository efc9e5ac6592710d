package io.sluice.provider.contract;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.contract.inputs.GivenInputs;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What all categories share: an empty store per test, and the steps their scenarios are made of. Tests bear the names
 * of the contract's table and may run at the same time. Each publishes the times, filters and limits that it gave to
 * its providers, as the report entry {@link GivenInputs#ENTRY}.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class ProviderContract {
    /** What a runtime calls as often as time goes on, and the machine lets it. */
    private static final Set<String> AS_TIME_GOES_ON =
            Set.of("turn renewal", "activity renewal", "activity abandon", "session renewal", "session clean-up");

    private final ContractStores stores;
    private final GivenInputs inputs = new GivenInputs();
    private ContractStore store;

    /** Steps on the test's store. */
    protected ProviderSteps steps;

    /** Runs the category on stores from there. */
    protected ProviderContract(ContractStores stores) {
        this.stores = stores;
    }

    @BeforeEach
    void openStore() {
        store = new NotedStore(stores.open(), inputs);
        if (!needsRunningClock()) {
            store.stopClock();
        }
        steps = new ProviderSteps(store, stores.lockTimeout());
    }

    /** Inputs are published before the store is closed, which may fail. */
    @AfterEach
    void closeStore(TestReporter reporter) {
        String given = (needsRunningClock() ? inputs.withoutCalls(AS_TIME_GOES_ON) : inputs).toString();
        if (!given.isEmpty()) {
            reporter.publishEntry(GivenInputs.ENTRY, given);
        }
        store.close();
    }

    /** What the provider was given until now is no input of the scenario, such as calls that open connections. */
    protected final void forgetInputs() {
        inputs.clear();
    }

    /** Whether time must go on by itself, because a runtime works here. */
    protected boolean needsRunningClock() {
        return false;
    }

    /** Another empty store, for scenarios that need two; the test closes it. */
    protected final ContractStore anotherStore() {
        return new NotedStore(stores.open(), inputs);
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
