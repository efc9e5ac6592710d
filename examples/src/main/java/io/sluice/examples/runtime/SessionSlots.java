package io.sluice.examples.runtime;

import java.util.HashMap;
import java.util.Map;

/** How many sessions a runtime works for at one time. Several activities of one session share its slot. Thread-safe. */
final class SessionSlots {
    private final int max;
    private final Map<String, Integer> running = new HashMap<>();

    SessionSlots(int max) {
        this.max = max;
    }

    synchronized boolean tryEnter(String session) {
        if (!running.containsKey(session) && running.size() >= max) {
            return false;
        }
        running.merge(session, 1, Integer::sum);
        return true;
    }

    synchronized void leave(String session) {
        running.computeIfPresent(session, (any, count) -> count == 1 ? null : count - 1);
    }
}
