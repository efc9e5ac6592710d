package io.sluice.relay.runtime;

import io.sluice.relay.history.RangeState;
import io.sluice.relay.status.RelayStatus;
import io.sluice.relay.watch.Liveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Whether a replica is live, and whether it is ready: it does all of its work. With the reasons if not.
 *
 * @param status of the replica
 * @param workers with their latest heartbeats
 * @param timeout how long a worker with work may give no heartbeat
 */
public record RelayHealth(Supplier<RelayStatus> status, Supplier<List<Liveness.Worker>> workers, Duration timeout) {

    /**
     * Why the process should be restarted; empty if it should not. Reads the heartbeats only: this must be answered
     * even if everything else waits.
     */
    public List<String> lifeFaults() {
        return Liveness.faults(workers.get(), timeout);
    }

    /** Why it does not do all of its work; empty if it does. A paused pipeline is no fault. */
    public List<String> readinessFaults() {
        var now = status.get();
        if (!now.running()) {
            return List.of("the relay isn't running");
        }
        var faults = new ArrayList<>(now.problems());
        now.history().ranges().stream()
                .filter(range -> !range.state().equals(RangeState.PUBLISHING.name())
                        && !range.state().equals(RangeState.SPLIT.name())
                        && !range.state().equals(RangeState.PAUSED.name()))
                .forEach(range -> faults.add("range " + range.range() + " is " + range.state()));
        return faults;
    }
}
