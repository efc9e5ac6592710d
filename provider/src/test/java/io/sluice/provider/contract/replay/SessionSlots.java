package io.sluice.provider.contract.replay;

import java.util.HashMap;
import java.util.Map;

/** How many sessions a runtime works for at one time. Several activities of one session share its slot. Thread-safe. */
final class SessionSlots {
    private final int most;
    private final Map<String, Integer> running = new HashMap<>();

    SessionSlots(int most) {
        this.most = most;
    }

    synchronized boolean enter(String session) {
        if (!running.containsKey(session) && running.size() >= most) {
            return false;
        }
        running.merge(session, 1, Integer::sum);
        return true;
    }

    synchronized void leave(String session) {
        running.computeIfPresent(session, (any, count) -> count == 1 ? null : count - 1);
    }
}
