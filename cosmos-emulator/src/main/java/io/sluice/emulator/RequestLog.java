package io.sluice.emulator;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The requests the emulator has served, added before their responses are sent. It keeps the last {@value #CAPACITY}
 * requests. Thread-safe.
 */
public final class RequestLog {
    private static final int CAPACITY = 200_000;

    private final Deque<LoggedRequest> requests = new ArrayDeque<>();

    RequestLog() {}

    /** All requests, in the order of their arrival. */
    public List<LoggedRequest> all() {
        synchronized (requests) {
            return requests.stream()
                    .sorted(Comparator.comparingLong(LoggedRequest::sequence))
                    .toList();
        }
    }

    /** The requests that match, in the order of their arrival. */
    public Stream<LoggedRequest> matching(Predicate<LoggedRequest> predicate) {
        return all().stream().filter(predicate);
    }

    /** How many requests it holds. */
    public int size() {
        synchronized (requests) {
            return requests.size();
        }
    }

    /** Removes all requests. */
    public void clear() {
        synchronized (requests) {
            requests.clear();
        }
    }

    void add(LoggedRequest request) {
        synchronized (requests) {
            if (requests.size() == CAPACITY) {
                requests.removeFirst();
            }
            requests.addLast(request);
        }
    }
}
