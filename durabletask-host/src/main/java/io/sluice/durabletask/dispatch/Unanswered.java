package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.worker.Connection;
import java.util.HashMap;
import java.util.Map;

/**
 * How much workers were sent by each connection that they have not answered, by the names that workers without
 * completion tokens answer by. What they have not answered they may yet answer, wherever the work is by then. A
 * connection that ends is forgotten. Thread-safe.
 */
final class Unanswered {
    private final Map<Connection, Map<String, Sent>> byConnection = new HashMap<>();

    private static final class Sent {
        private int items;
        private boolean several;
    }

    /** What is known of an answer that has come. */
    enum Answer {
        /** It is for the only item that was sent under its name. */
        CERTAIN,
        /** It may be for any of several items, or for none. */
        DOUBTFUL,
        /** The same; but no further one can come for what was sent so far. */
        DOUBTFUL_AND_LAST
    }

    /** Notes that an item is sent. */
    synchronized void sent(Connection connection, String name) {
        if (!byConnection.containsKey(connection)) {
            byConnection.put(connection, new HashMap<>());
            connection.onEnd(() -> forget(connection));
        }
        // One that has ended meanwhile was forgotten at once.
        Map<String, Sent> names = byConnection.get(connection);
        if (names != null) {
            Sent sent = names.computeIfAbsent(name, added -> new Sent());
            sent.items++;
            sent.several |= sent.items > 1;
        }
    }

    /** Whether an answer that comes now is for the only item that was sent under its name. */
    synchronized boolean isCertain(Connection connection, String name) {
        Sent sent = byConnection.getOrDefault(connection, Map.of()).get(name);
        return sent != null && !sent.several;
    }

    /** Notes that an answer has come. */
    synchronized Answer answered(Connection connection, String name) {
        Map<String, Sent> names = byConnection.getOrDefault(connection, Map.of());
        Sent sent = names.get(name);
        if (sent == null) {
            return Answer.DOUBTFUL;
        }
        sent.items--;
        if (sent.items == 0) {
            names.remove(name);
        }
        if (!sent.several) {
            return Answer.CERTAIN;
        }
        return sent.items == 0 ? Answer.DOUBTFUL_AND_LAST : Answer.DOUBTFUL;
    }

    private synchronized void forget(Connection connection) {
        byConnection.remove(connection);
    }
}
