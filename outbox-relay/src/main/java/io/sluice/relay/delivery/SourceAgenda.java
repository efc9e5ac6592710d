package io.sluice.relay.delivery;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Which sources are to be looked at, and when. A source is in one pair of hands at a time; whoever asks for it meanwhile
 * gets another look after that one, so that no wake-up is lost. Thread-safe.
 */
final class SourceAgenda {
    /** No look is due. */
    static final long NEVER = Long.MAX_VALUE;

    private final InstantSource clock;
    private final Map<String, Entry> entries = new HashMap<>();
    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::atMillis));
    private boolean closed;

    private record Due(String source, long atMillis) {}

    private static final class Entry {
        private long dueMillis = NEVER;
        private boolean inHand;
        private int failures;
        private List<CompletableFuture<Void>> waiting = new ArrayList<>();
    }

    /**
     * A source taken in hand.
     *
     * @param failures looks in a row that met trouble
     * @param waiting to be told when the look is over
     */
    record Look(String source, int failures, List<CompletableFuture<Void>> waiting) {}

    SourceAgenda(InstantSource clock) {
        this.clock = clock;
    }

    /** Asks for a look at a source, not before a time (milliseconds). */
    synchronized void add(String source, long atMillis, @Nullable CompletableFuture<Void> waiting) {
        var entry = entries.computeIfAbsent(source, key -> new Entry());
        if (waiting != null) {
            if (closed) {
                waiting.cancel(false);
            }
            entry.waiting.add(waiting);
        }
        if (atMillis < entry.dueMillis) {
            entry.dueMillis = atMillis;
            enqueue(source, entry);
        }
    }

    private void enqueue(String source, Entry entry) {
        if (!entry.inHand && entry.dueMillis != NEVER) {
            queue.add(new Due(source, entry.dueMillis));
            notifyAll();
        }
    }

    /** Whether somebody waits: a source is due, in hand, or has met trouble when it was looked at last. */
    synchronized boolean isWanting() {
        long now = clock.millis();
        return entries.values().stream()
                .anyMatch(entry -> entry.inHand || entry.failures > 0 || entry.dueMillis <= now);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Waits for a source to be due and takes it; null when the agenda was closed. */
    synchronized @Nullable Look take() throws InterruptedException {
        while (!closed) {
            long now = clock.millis();
            var first = queue.peek();
            if (first == null) {
                wait();
            } else if (first.atMillis() > now) {
                wait(first.atMillis() - now);
            } else {
                queue.remove();
                var look = takeInHand(first);
                if (look != null) {
                    return look;
                }
            }
        }
        return null;
    }

    private @Nullable Look takeInHand(Due due) {
        var entry = entries.get(due.source());
        if (entry == null || entry.inHand || entry.dueMillis != due.atMillis()) {
            return null; // left behind when the source became due earlier
        }
        var look = new Look(due.source(), entry.failures, entry.waiting);
        entry.inHand = true;
        entry.dueMillis = NEVER;
        entry.waiting = new ArrayList<>();
        return look;
    }

    /**
     * Gives a source back.
     *
     * @param nextMillis when to look again, {@link #NEVER} for when somebody asks
     * @param inTrouble whether the look met trouble that may pass
     */
    synchronized void giveBack(String source, long nextMillis, boolean inTrouble) {
        var entry = entries.get(source);
        if (entry == null) {
            return;
        }
        entry.inHand = false;
        entry.failures = inTrouble ? entry.failures + 1 : 0;
        entry.dueMillis = Math.min(entry.dueMillis, nextMillis);
        if (entry.dueMillis == NEVER) {
            entries.remove(source);
        } else {
            enqueue(source, entry);
        }
    }

    /** How many sources are in hand or waiting for their time. */
    synchronized int size() {
        return entries.size();
    }

    /** Hands out nothing any more; whoever waits for a look that won't come is told so. */
    synchronized void close() {
        closed = true;
        entries.values().forEach(entry -> entry.waiting.forEach(waiting -> waiting.cancel(false)));
        notifyAll();
    }
}
