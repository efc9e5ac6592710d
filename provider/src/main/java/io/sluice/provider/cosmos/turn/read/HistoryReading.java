package io.sluice.provider.cosmos.turn.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.staged.WholeReads;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Reads the events of an execution, all or some. They never change, and later ones come behind them: when several pages
 * were read while the instance moved, the events up to which none can be missing are kept, and only what follows them
 * is read again. That is soon one page, of one moment, at which no turn is half applied.
 *
 * <p>The first and the last of what is kept are asked for along with it. If either is missing or another document, the
 * execution was pruned, or the instance deleted and perhaps begun anew: then all is read again. Pruning removes the
 * oldest first.
 */
final class HistoryReading implements WholeReads.Reading {
    private static final String EVENTS = " FROM c WHERE (c.type = 'history' AND c.executionId = @execution";
    private static final String SOME = " AND c.eventId IN (@ids)";
    private static final String AND_MORE = ") OR " + WholeReads.CONDITION;
    private static final String WHOLE = "SELECT *" + EVENTS;
    private static final String ID_AND_VERSION = "{type: c.type, eventId: c.eventId, _etag: c._etag}";
    private static final String REST = "SELECT VALUE (c.type = 'history' AND c.eventId <= @last ? " + ID_AND_VERSION
            + " : c)" + EVENTS + " AND (c.eventId = @first OR c.eventId >= @last)";

    private final long execution;
    private final TreeSet<Long> ids;

    /** The events up to which none is missing. */
    private final NavigableMap<Long, ObjectNode> kept = new TreeMap<>();

    /** Id of the newest event that a query has shown. */
    private long newest;

    private List<ObjectNode> answer = List.of();

    /**
     * A reading for which no query was sent yet.
     *
     * @param ids of the events that are wanted; none for all
     */
    HistoryReading(long execution, Collection<Long> ids) {
        this.execution = execution;
        this.ids = new TreeSet<>(ids);
    }

    @Override
    public SqlQuery next() {
        String text = (kept.isEmpty() ? WHOLE : REST) + (ids.isEmpty() ? "" : SOME) + AND_MORE;
        SqlQuery query = SqlQuery.of(text).with("@execution", execution);
        if (!kept.isEmpty()) {
            query.with("@first", kept.firstKey()).with("@last", kept.lastKey());
        }
        return ids.isEmpty() ? query : query.withEach("@ids", List.copyOf(ids));
    }

    @Override
    public WholeReads.Progress take(List<ObjectNode> rows, boolean isOfOneMoment) {
        List<ObjectNode> shown = rows.stream()
                .filter(row -> DocumentJson.isType(row, DocumentType.HISTORY))
                .toList();
        NavigableMap<Long, ObjectNode> events = byId(shown);
        if (!kept.isEmpty() && !(isThere(kept.firstKey(), events) && isThere(kept.lastKey(), events))) {
            kept.clear();
            newest = 0;
            return WholeReads.Progress.NONE;
        }
        if (isOfOneMoment) {
            answer = kept.isEmpty() ? shown : joined(shown);
            return WholeReads.Progress.DONE;
        }
        int before = kept.size();
        events.putAll(kept);
        // What an earlier query has shown was there, with all that precedes it, before this one was sent.
        kept.putAll(events.headMap(Math.max(newest, endOfUnbroken(events)), true));
        newest = events.isEmpty() ? newest : Math.max(newest, events.lastKey());
        return kept.size() > before ? WholeReads.Progress.FURTHER : WholeReads.Progress.NONE;
    }

    private boolean isThere(long id, SortedMap<Long, ObjectNode> events) {
        ObjectNode event = events.get(id);
        ObjectNode known = kept.get(id);
        return event != null && known != null && DocumentJson.etag(event).equals(DocumentJson.etag(known));
    }

    private List<ObjectNode> joined(List<ObjectNode> shown) {
        List<ObjectNode> all = new ArrayList<>(kept.values());
        shown.stream().filter(event -> id(event) > kept.lastKey()).forEach(all::add);
        return all;
    }

    /** Up to which event each one that is wanted is among these. */
    private long endOfUnbroken(SortedMap<Long, ObjectNode> events) {
        Iterator<Long> wanted =
                ids.isEmpty() ? LongStream.iterate(1, id -> id + 1).iterator() : ids.iterator();
        long end = 0;
        while (wanted.hasNext()) {
            long id = wanted.next();
            if (!events.containsKey(id)) {
                break;
            }
            end = id;
        }
        return end;
    }

    private static NavigableMap<Long, ObjectNode> byId(List<ObjectNode> rows) {
        NavigableMap<Long, ObjectNode> events = new TreeMap<>();
        rows.forEach(row -> events.put(id(row), row));
        return events;
    }

    private static long id(ObjectNode event) {
        return event.path(Fields.EVENT_ID).asLong();
    }

    @Override
    public List<ObjectNode> answer() {
        return answer;
    }
}
