package io.sluice.provider.contract;

import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceTurns;
import io.sluice.provider.Provider;
import io.sluice.provider.contract.inputs.GivenInputs;
import io.sluice.provider.contract.inputs.NotedCalls;
import java.time.Duration;

/** A store whose providers' inputs are noted, and how far its clock is moved. Thread-safe where the store is. */
final class NotedStore implements ContractStore {
    private final ContractStore store;
    private final GivenInputs inputs;

    NotedStore(ContractStore store, GivenInputs inputs) {
        this.store = store;
        this.inputs = inputs;
    }

    private Provider noted(Provider provider) {
        return NotedCalls.of(Provider.class, provider, inputs);
    }

    private static Provider unwrapped(Provider provider) {
        return NotedCalls.unwrapped(Provider.class, provider);
    }

    @Override
    public Provider provider() {
        return noted(store.provider());
    }

    @Override
    public Provider anotherProvider() {
        return noted(store.anotherProvider());
    }

    @Override
    public Provider leavingDelivery() {
        return noted(store.leavingDelivery());
    }

    @Override
    public Provider droppingOrphanEvents() {
        return noted(store.droppingOrphanEvents());
    }

    @Override
    public InstanceStarts starts(Provider of) {
        return NotedCalls.of(InstanceStarts.class, store.starts(unwrapped(of)), inputs);
    }

    @Override
    public InstanceQueries queries(Provider of) {
        return store.queries(unwrapped(of));
    }

    @Override
    public InstanceTurns turns(Provider of) {
        return NotedCalls.of(InstanceTurns.class, store.turns(unwrapped(of)), inputs);
    }

    @Override
    public void deliver() {
        store.deliver();
    }

    @Override
    public void throttle(int every) {
        store.throttle(every);
    }

    @Override
    public void corruptHistory(String instance) {
        store.corruptHistory(instance);
    }

    @Override
    public int maxAttemptCount(String instance) {
        return store.maxAttemptCount(instance);
    }

    @Override
    public void stopClock() {
        store.stopClock();
    }

    @Override
    public void pass(Duration time) {
        inputs.note("clock", "moved", time);
        store.pass(time);
    }

    @Override
    public void close() {
        store.close();
    }
}
