package io.sluice.relay.watch;

import java.time.Duration;
import java.util.List;

/** Decides whether a replica should be restarted: a worker with work has not completed a step for too long. Pure. */
public final class Liveness {
    private Liveness() {}

    /**
     * The state of a worker.
     *
     * @param name of the worker, for people
     * @param hasWork whether it has to complete steps now; false for a paused worker, and for one that is silent while
     *     it has nothing to do
     * @param silence since its last step
     */
    public record Worker(String name, boolean hasWork, Duration silence) {}

    /**
     * The workers that are silent for too long, as messages.
     *
     * @param patience how long a worker may be silent
     * @return empty when it is
     */
    public static List<String> faults(List<Worker> workers, Duration patience) {
        return workers.stream()
                .filter(worker -> worker.hasWork() && worker.silence().compareTo(patience) > 0)
                .map(worker -> worker.name() + " has not come through for "
                        + worker.silence().toSeconds() + " s, allowed are " + patience.toSeconds() + " s")
                .toList();
    }
}
