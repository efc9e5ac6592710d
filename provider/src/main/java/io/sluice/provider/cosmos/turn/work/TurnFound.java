package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.document.QueueDocument;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * An instance with messages to take, as a search shows it.
 *
 * @param rows its messages, in FIFO order
 * @param isExhaustive whether these are all that are visible
 * @param isAwaited whether it was set aside for want of the start that was found
 */
record TurnFound(List<TurnRow> rows, boolean isExhaustive, boolean isAwaited) {
    private static final Comparator<TurnRow> FIFO = Comparator.comparing(TurnRow::message, QueueDocument.FIFO);

    TurnFound {
        rows = rows.stream().sorted(FIFO).toList();
    }

    /**
     * What one search shows.
     *
     * @param found oldest first
     * @param isExhaustive whether these are all
     * @param isPartial whether some physical partitions did not answer
     */
    record Page(List<TurnFound> found, boolean isExhaustive, boolean isPartial) {
        Page {
            found = List.copyOf(found);
        }
    }

    String instanceId() {
        return rows.get(0).instanceId();
    }

    private TurnRow oldest() {
        return rows.get(0);
    }

    /** Those of several ranges together, but for those that others may come before. */
    static List<TurnFound> inOrder(Collection<TurnFound> found, long until) {
        return found.stream()
                .filter(one -> one.oldest().message().enqueuedAt() <= until)
                .sorted(Comparator.comparing(TurnFound::oldest, FIFO))
                .toList();
    }
}
