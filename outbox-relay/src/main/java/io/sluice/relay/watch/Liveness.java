package io.sluice.relay.watch;

import java.time.Duration;
import java.util.List;

/** Says whether a replica is to be killed: a worker that has work has not come through for a bounded time. Pure. */
public final class Liveness {
    private Liveness() {}

    /**
     * A worker as it is now.
     *
     * @param worker in words
     * @param hasWork whether it is to come through now; a worker that is paused, or has nothing to do and says nothing then, is not
     * @param silence since it last came through
     */
    public record Sign(String worker, boolean hasWork, Duration silence) {}

    /**
     * Why the replica isn't live.
     *
     * @param patience how long a worker may be silent
     * @return empty when it is
     */
    public static List<String> faults(List<Sign> signs, Duration patience) {
        return signs.stream()
                .filter(sign -> sign.hasWork() && sign.silence().compareTo(patience) > 0)
                .map(sign -> sign.worker() + " has not come through for "
                        + sign.silence().toSeconds() + " s, allowed are " + patience.toSeconds() + " s")
                .toList();
    }
}
