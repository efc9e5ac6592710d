package io.sluice.provider.kafka;

import java.util.HashMap;
import java.util.Map;

/**
 * The failures of loops that read the same, each with a {@link FailureLog} of its own: all of them fail together, and
 * one line is enough. Thread-safe.
 */
final class KnownFailures {
    private final Map<FailureLog, Class<?>> failing = new HashMap<>();

    /** A loop failed. Returns whether no other loop fails in this way now, and this one did not before. */
    synchronized boolean begin(FailureLog loop, Throwable failure) {
        boolean isKnown = failing.containsValue(failure.getClass());
        failing.put(loop, failure.getClass());
        return !isKnown;
    }

    /** A loop works again, or has ended. Returns whether it was the last one that failed. */
    synchronized boolean end(FailureLog loop) {
        return failing.remove(loop) != null && failing.isEmpty();
    }
}
