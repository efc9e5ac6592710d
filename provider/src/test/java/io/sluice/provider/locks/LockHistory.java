package io.sluice.provider.locks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What clients did with locks, each operation with the times around it. An operation takes effect somewhere between
 * them, so only what can't be explained by any order within these is a violation. Thread-safe.
 */
final class LockHistory {
    private final ConcurrentLinkedQueue<Operation> operations = new ConcurrentLinkedQueue<>();
    private final long lockNanos;

    /** What a client asked for. */
    enum Kind {
        FETCH,
        RENEW,
        ABANDON,
        ACK
    }

    /**
     * An operation that is over.
     *
     * @param lock what it is about: an instance, an activity
     * @param token of the fetch that took the lock
     * @param succeeded whether the caller was told so
     */
    record Operation(Kind kind, String lock, String token, long begunNanos, long endedNanos, boolean succeeded) {
        private boolean isRelease() {
            return kind == Kind.ACK || kind == Kind.ABANDON;
        }
    }

    /** Of locks that are held for so long, from the fetch and from each renewal. */
    LockHistory(Duration lock) {
        this.lockNanos = lock.toNanos();
    }

    void add(Operation operation) {
        operations.add(operation);
    }

    int size() {
        return operations.size();
    }

    long succeeded(Kind kind) {
        return operations.stream()
                .filter(each -> each.kind() == kind && each.succeeded())
                .count();
    }

    /** Every pair of operations that can't both be true. */
    List<String> violations() {
        return operations.stream().collect(Collectors.groupingBy(Operation::lock)).values().stream()
                .flatMap(this::violations)
                .toList();
    }

    private Stream<String> violations(List<Operation> ofLock) {
        var byToken = ofLock.stream().collect(Collectors.groupingBy(Operation::token));
        var fetches = ofLock.stream().filter(each -> each.kind() == Kind.FETCH).toList();
        var found = new ArrayList<String>();
        for (var fetch : fetches) {
            var held = byToken.getOrDefault(fetch.token(), List.of());
            var others = fetches.stream()
                    .filter(other -> !other.token().equals(fetch.token()) && other.begunNanos() >= fetch.endedNanos())
                    .toList();
            long certainUntil = certainUntil(fetch, held);
            others.stream()
                    .filter(other -> other.endedNanos() <= certainUntil)
                    .forEach(other -> found.add("taken from its holder: " + fetch + " by " + other));
            held.stream()
                    .filter(each -> each.kind() == Kind.ACK && each.succeeded())
                    .forEach(ack -> others.stream()
                            .filter(other -> other.endedNanos() <= ack.begunNanos())
                            .forEach(other -> found.add("acked by a former holder: " + ack + " after " + other)));
        }
        return found.stream();
    }

    /** From the end of the fetch until then nobody else may have it, whatever the order of what overlaps. */
    private long certainUntil(Operation fetch, List<Operation> held) {
        long until = fetch.begunNanos() + lockNanos;
        var later = held.stream()
                .filter(each -> each.kind() != Kind.FETCH)
                .sorted(Comparator.comparingLong(Operation::begunNanos))
                .toList();
        for (var each : later) {
            if (each.isRelease()) {
                return Math.min(until, each.begunNanos());
            }
            if (each.succeeded() && each.endedNanos() <= until) {
                until = Math.max(until, each.begunNanos() + lockNanos);
            }
        }
        return until;
    }
}
