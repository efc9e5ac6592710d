package io.sluice.relay.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The newest of many, oldest first; memory is bounded by their number. Thread-safe. */
final class Ring<T> {
    private final int most;
    private final Deque<T> kept = new ArrayDeque<>();

    Ring(int most) {
        this.most = most;
    }

    synchronized void add(T one) {
        if (kept.size() == most) {
            kept.removeFirst();
        }
        kept.addLast(one);
    }

    synchronized List<T> all() {
        return List.copyOf(kept);
    }
}
