package io.sluice.provider.lease;

import java.time.InstantSource;
import java.util.Collections;

/** Divides the slots among the callers of this process; other processes use all slots as well. Thread-safe. */
public final class InMemoryLeaseProvider implements LeaseProvider {
    private final LeaseConfig config;
    private final InstantSource clock;
    private final SharedSlots slots = new SharedSlots();

    /**
     * All slots are free at first.
     *
     * @param config whose duration says for how long a caller that no longer asks keeps its slots; margin and heartbeat
     *     do not matter within one process
     */
    public InMemoryLeaseProvider(LeaseConfig config) {
        this(config, InstantSource.system());
    }

    InMemoryLeaseProvider(LeaseConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
        slots.open(SlotTable.ALL, Long.MAX_VALUE);
    }

    @Override
    public SlotShare acquireSlots(String callerId) {
        long now = clock.millis();
        return slots.acquire(callerId, now, now + config.duration().toMillis());
    }

    @Override
    public void releaseSlots(String callerId) {
        slots.release(callerId);
    }

    @Override
    public void close() {
        slots.open(Collections.emptySortedSet(), 0);
    }
}
