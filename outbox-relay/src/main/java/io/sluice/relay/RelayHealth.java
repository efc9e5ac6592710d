package io.sluice.relay;

import io.sluice.relay.history.RangeState;
import io.sluice.relay.watch.Liveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Whether a replica is to be left alone, and whether it does all of its work; with the reasons when not.
 *
 * @param status what it says of itself
 * @param signs of its workers
 * @param patience how long a worker that is to come through may be silent
 */
record RelayHealth(Supplier<RelayStatus> status, Supplier<List<Liveness.Worker>> signs, Duration patience) {

    /**
     * Why the process should be killed; empty when it should not. Asks for nothing but the signs: this must be answered
     * whatever else waits.
     */
    List<String> lifeFaults() {
        return Liveness.faults(signs.get(), patience);
    }

    /** Why it doesn't do all of its work; empty when it does. What an operator has paused is no fault. */
    List<String> readinessFaults() {
        var now = status.get();
        if (!now.running()) {
            return List.of("the relay isn't running");
        }
        var faults = new ArrayList<>(now.troubles());
        now.history().ranges().stream()
                .filter(range -> !range.state().equals(RangeState.PUBLISHING.name())
                        && !range.state().equals(RangeState.PAUSED.name()))
                .forEach(range -> faults.add("range " + range.index() + " is " + range.state()));
        return faults;
    }
}
