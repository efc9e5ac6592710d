package io.sluice.provider.cosmos.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueField;
import io.sluice.provider.request.OperationCost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the documents of a queue, which other programs may have written. A malformed document is passed over, logged
 * and counted once, and stays in the queue. From then on queries leave malformed documents out, so that they take no
 * room in an answer; now and then one query reads them, to find new ones. Thread-safe.
 */
public final class QueueRows {
    private static final Logger LOG = LoggerFactory.getLogger(QueueRows.class);
    private static final long FIRST_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MOST_DOUBLINGS = 4;

    private final LongSupplier nanoTime;
    private final MalformedLog log = new MalformedLog(LOG);
    private final String wellFormed;
    private boolean leavesOut;
    private long leavesOutUntilNanos;
    private int doublings;

    /**
     * Reads one of the queues.
     *
     * @param nanoTime the monotonic clock
     */
    public QueueRows(DocumentType type, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.wellFormed = " AND " + QueueField.condition(type);
    }

    /** A document that could be read. */
    public record Row(QueueDocument document, ObjectNode json) {}

    /**
     * The rows of one key range.
     *
     * @param found how many rows were found, malformed ones included
     */
    public record Part(List<Row> rows, int found) {
        public Part {
            rows = List.copyOf(rows);
        }
    }

    /** The document, unless it is malformed. */
    public Optional<QueueDocument> read(ObjectNode document) {
        try {
            return Optional.of(QueueDocument.fromJson(document));
        } catch (MalformedDocumentException e) {
            if (log.log(document, "a malformed document of a queue is passed over, and stays in the queue", e)) {
                OperationCost.malformed();
            }
            leaveOut();
            return Optional.empty();
        }
    }

    /** The documents that are well-formed, in the given order. */
    public List<Row> read(List<ObjectNode> documents) {
        List<Row> rows = new ArrayList<>(documents.size());
        documents.forEach(json -> read(json).ifPresent(document -> rows.add(new Row(document, json))));
        return rows;
    }

    /**
     * A further condition for a query of the queue, beginning with {@code AND}; empty while no malformed document is
     * known.
     */
    public synchronized String condition() {
        return isLeavingOut() ? wellFormed : "";
    }

    /**
     * Runs a query, and repeats it when the first answer had malformed documents, which may have taken the room of
     * others.
     *
     * @param search runs the query with a further condition; returns rows by key range
     */
    public Map<String, Part> search(Function<String, Map<String, List<ObjectNode>>> search) {
        String condition = condition();
        Map<String, Part> found = parts(search.apply(condition));
        boolean isIncomplete =
                found.values().stream().anyMatch(part -> part.rows().size() < part.found());
        return isIncomplete && condition.isEmpty() ? parts(search.apply(wellFormed)) : found;
    }

    private Map<String, Part> parts(Map<String, List<ObjectNode>> answers) {
        Map<String, Part> parts = new LinkedHashMap<>();
        answers.forEach((range, rows) -> parts.put(range, new Part(read(rows), rows.size())));
        return parts;
    }

    private boolean isLeavingOut() {
        return leavesOut && leavesOutUntilNanos - nanoTime.getAsLong() > 0;
    }

    /** Leaves malformed documents out: for twice as long each time, while each query finds some. */
    private synchronized void leaveOut() {
        if (!isLeavingOut()) {
            long longAgo = FIRST_NANOS << MOST_DOUBLINGS;
            boolean isAgain = leavesOut && nanoTime.getAsLong() - leavesOutUntilNanos < longAgo;
            doublings = isAgain ? Math.min(MOST_DOUBLINGS, doublings + 1) : 0;
            leavesOut = true;
            leavesOutUntilNanos = nanoTime.getAsLong() + (FIRST_NANOS << doublings);
        }
    }
}
