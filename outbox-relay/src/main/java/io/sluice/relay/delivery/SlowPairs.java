package io.sluice.relay.delivery;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;

/**
 * The pairs of source and target whose first intent is being sent for longer than a drain waits for it. Drains of the
 * source leave such a pair out until that ends, and go on with its other targets. Thread-safe.
 */
final class SlowPairs {
    private final ObjLongConsumer<String> sources;
    private final Map<String, Set<String>> targets = new ConcurrentHashMap<>();

    /** @param sources receives each source of which a pair has ended, and the time in milliseconds of its next drain */
    SlowPairs(ObjLongConsumer<String> sources) {
        this.sources = sources;
    }

    /** The targets that a drain of this source leaves out. */
    Set<String> targetsOf(String source) {
        return Set.copyOf(targets.getOrDefault(source, Set.of()));
    }

    /** A drain waits no longer for this pair. */
    void begin(String source, String target) {
        targets.compute(source, (key, known) -> {
            Set<String> slow = known == null ? ConcurrentHashMap.newKeySet() : known;
            slow.add(target);
            return slow;
        });
    }

    /** The intent of this pair was delivered, or failed; the source is drained again. */
    void end(String source, String target, long nextMillis) {
        targets.computeIfPresent(source, (key, slow) -> {
            slow.remove(target);
            return slow.isEmpty() ? null : slow;
        });
        sources.accept(source, nextMillis);
    }
}
