package io.sluice.provider.cosmos.candidate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** Candidates that this process has just made, for dispatchers that wait. Guarded by its owner's lock. */
final class Offers<C extends Candidate> {
    private final Deque<C> ready = new ArrayDeque<>();
    private final Deque<C> delayed = new ArrayDeque<>();

    /** The candidates that may be handed out. */
    Deque<C> ready() {
        return ready;
    }

    /** Adds a candidate that may be handed out after the query that is under way. */
    void delay(C candidate) {
        delayed.add(candidate);
    }

    /** Takes the candidates that were delayed. */
    List<C> takeDelayed() {
        List<C> taken = List.copyOf(delayed);
        delayed.clear();
        return taken;
    }

    boolean has(String key) {
        return Stream.of(ready, delayed)
                .flatMap(Deque::stream)
                .anyMatch(other -> other.key().equals(key));
    }

    int size() {
        return ready.size() + delayed.size();
    }

    void clear() {
        ready.clear();
        delayed.clear();
    }
}
