package io.sluice.durabletask.worker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Activities that were fetched by their names and given back, since no connected worker takes their versions: what a
 * store does not choose by. Thread-safe.
 */
public final class RefusedVersions {
    private static final int MOST_NAMES = 1_000;

    private final LongSupplier nanoTime;
    /** The last of each name; the one that was refused longest ago goes first. Guarded by this. */
    private final Map<String, Refused> refused = new LinkedHashMap<>();

    private record Refused(String version, long atNanos) {}

    /**
     * None so far.
     *
     * @param nanoTime the monotonic clock
     */
    public RefusedVersions(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** One was given back. */
    public synchronized void note(String name, String version) {
        refused.remove(name);
        if (refused.size() >= MOST_NAMES) {
            refused.remove(refused.keySet().iterator().next());
        }
        refused.put(name, new Refused(version, nanoTime.getAsLong()));
    }

    /** The version of the one of this name that was given back last, if that was within this time. */
    public synchronized Optional<String> within(Duration time, String name) {
        @Nullable Refused last = refused.get(name);
        return last == null || nanoTime.getAsLong() - last.atNanos() > time.toNanos()
                ? Optional.empty()
                : Optional.of(last.version());
    }
}
