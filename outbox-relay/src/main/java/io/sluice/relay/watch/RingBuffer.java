package io.sluice.relay.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Holds the newest elements, oldest first, up to a maximum. Thread-safe. */
final class RingBuffer<T> {
    private final int most;
    private final Deque<T> kept = new ArrayDeque<>();

    RingBuffer(int most) {
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
