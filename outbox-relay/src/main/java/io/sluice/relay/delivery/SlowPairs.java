package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;

/**
 * The pairs of source and target whose rounds take longer than a drain waits for them. Drains of the source leave such
 * a pair out until its round has ended, and go on with its other targets. Thread-safe.
 */
final class SlowPairs {
    /** Delivered intents of all sources that are kept; others are found by a drain, which meets their receipts. */
    private static final int MOST_DELIVERED = 1_000;

    /** Larger ones are not kept. */
    private static final int MOST_CHARS = 100_000;

    private final ObjLongConsumer<String> sources;
    private final BooleanSupplier paused;
    private final Map<String, Set<String>> targets = new HashMap<>();
    private final Map<String, List<Intent>> delivered = new HashMap<>();
    private int kept;

    /**
     * Has none yet.
     *
     * @param sources receives each source of which a round has ended, and when it is drained next, in milliseconds
     * @param paused whether an operator has paused the delivery
     */
    SlowPairs(ObjLongConsumer<String> sources, BooleanSupplier paused) {
        this.sources = sources;
        this.paused = paused;
    }

    /** Whether their rounds end with the intent that is under way: no drain asks for them. */
    boolean arePaused() {
        return paused.getAsBoolean();
    }

    /** The targets that a drain of this source leaves out. */
    synchronized Set<String> targetsOf(String source) {
        return Set.copyOf(targets.getOrDefault(source, Set.of()));
    }

    /** What ended rounds have delivered and a drain of this source has to remove; handed out once. */
    synchronized List<Intent> takeDelivered(String source) {
        var intents = delivered.remove(source);
        kept -= intents == null ? 0 : intents.size();
        return intents == null ? List.of() : intents;
    }

    /** A drain waits no longer for this pair. */
    synchronized void begin(String source, String target) {
        targets.computeIfAbsent(source, key -> new HashSet<>()).add(target);
    }

    /** The round of this pair has ended; the source is drained again. */
    void end(String source, String target, List<Intent> intents, long nextMillis) {
        note(source, target, intents);
        // What was delivered is removed at once.
        sources.accept(source, intents.isEmpty() ? nextMillis : 0);
    }

    private synchronized void note(String source, String target, List<Intent> intents) {
        targets.computeIfPresent(source, (key, slow) -> {
            slow.remove(target);
            return slow.isEmpty() ? null : slow;
        });
        var small = intents.stream()
                .filter(intent -> intent.payload().length() <= MOST_CHARS)
                .toList();
        if (!small.isEmpty() && kept < MOST_DELIVERED) {
            kept += small.size();
            delivered.computeIfAbsent(source, key -> new ArrayList<>()).addAll(small);
        }
    }
}
