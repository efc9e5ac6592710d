package io.sluice.provider.cosmos.activity;

import io.sluice.provider.TagFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.search.OldestRows;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.search.RangeSearch;
import io.sluice.provider.cosmos.search.SlotScope;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.json.Quoted;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of the worker queue that a kind of worker may take from.
 *
 * @param sessions whether items of sessions are wanted as well
 */
record WorkerQueueView(TagFilter tags, boolean sessions) {
    private static final int MOST_ROWS = 50_000;
    private static final int GROWTH = 8;
    private static final String LENGTH = "workItemLength";
    /** A session may be owned by a process that does not share its slot. */
    private static final String SESSION = "IS_STRING(c.sessionId)";

    private static final String NULL_OR_MISSING = "(NOT IS_DEFINED(c.%1$s) OR IS_NULL(c.%1$s))";

    /** One search of the store. */
    record Search(RangeSearch ranges, QueueRows queue, Call call, InstantSource clock, SlotScope slots) {}

    /**
     * What a search leaves out.
     *
     * @param ids of activities
     * @param sessions whose activities all are others'
     */
    record Hidden(Collection<String> ids, List<OthersSessions.Session> sessions) {}

    /**
     * What a search found.
     *
     * @param items oldest first
     * @param isCut whether partitions that answered may have more
     * @param isPartial whether some physical partitions did not answer
     */
    record Page(List<ActivityCandidate> items, boolean isCut, boolean isPartial) {
        Page {
            items = List.copyOf(items);
        }

        /** Whether these are all. */
        boolean isExhaustive() {
            return !isCut && !isPartial;
        }
    }

    /**
     * The activities of all instances, oldest first, without their work items.
     *
     * @param limit most rows to read
     */
    Page search(Search search, int limit, Hidden hidden) {
        Set<String> all = Set.copyOf(hidden.ids());
        Hidden named = new Hidden(QueryBytes.fitting(hidden.ids()), hidden.sessions());
        Page found = find(search, limit, named);
        // Items that are not named here may fill an answer, and hide the items behind them.
        for (int more = limit; isHidden(found, all) && more < MOST_ROWS; ) {
            more *= GROWTH;
            found = find(search, more, named);
        }
        return found;
    }

    private static boolean isHidden(Page found, Set<String> hidden) {
        return found.isCut() && found.items().stream().allMatch(item -> hidden.contains(item.key()));
    }

    private Page find(Search search, int limit, Hidden hidden) {
        OldestRows.OfAll answers =
                OldestRows.read(search.ranges(), search.call(), limit, search.queue(), (most, condition) -> {
                    SqlQuery query = search.slots()
                            .bind(sql(most, condition + without(hidden.sessions()), search.slots()))
                            .with("@now", search.clock().millis())
                            .with("@hidden", new ArrayList<>(hidden.ids()));
                    if (!hidden.sessions().isEmpty()) {
                        query.with(
                                "@others",
                                hidden.sessions().stream()
                                        .map(WorkerQueueView::value)
                                        .toList());
                    }
                    return tags.tags().isEmpty()
                            ? query
                            : query.withEach("@tags", List.copyOf(new TreeSet<>(tags.tags())));
                });
        return found(answers);
    }

    /** What stands for this view in announcements: the same in every process, and another one for each view. */
    String filter() {
        String kind = tags instanceof TagFilter.Many many && many.untagged()
                ? "DefaultAndMany"
                : tags.getClass().getSimpleName();
        return (sessions ? "sessions:" : "") + kind + " " + Quoted.list(new TreeSet<>(tags.tags()));
    }

    /** Whether its workers may take an activity without asking who owns its session. */
    boolean suits(QueueDocument activity) {
        return activity.sessionId() == null && tags.matches(activity.tag());
    }

    /** Whether its workers may take what was announced, perhaps once they own its session. */
    boolean wants(AnnouncedDocument activity) {
        return (sessions || activity.sessionId() == null) && tags.matches(activity.tag());
    }

    private SqlQuery sql(int limit, String condition, SlotScope slots) {
        return SqlQuery.of("SELECT TOP " + limit
                + " c.id, c.instanceId, c.type, LENGTH(c.workItem) AS " + LENGTH
                + ", c.visibleAt, c.enqueuedAt, c.attemptCount, c.sessionId, c.tag, c.executionId, c.activityId, c._etag"
                + " FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= @now"
                + " AND (NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil <= @now)"
                + (sessions ? "" : " AND " + NULL_OR_MISSING.formatted("sessionId"))
                + tagPredicate()
                + condition
                + slots.condition(sessions ? SESSION : "")
                + " AND NOT ARRAY_CONTAINS(@hidden, c.id) ORDER BY c.enqueuedAt");
    }

    /** An activity without a session equals none of them, whether its field is null or missing. */
    private static String without(List<OthersSessions.Session> sessions) {
        return sessions.isEmpty()
                ? ""
                : " AND NOT ARRAY_CONTAINS(@others, {'instance': c.instanceId, 'session': c.sessionId})";
    }

    private static Map<String, String> value(OthersSessions.Session session) {
        return Map.of("instance", session.instanceId(), "session", session.sessionId());
    }

    private String tagPredicate() {
        if (tags instanceof TagFilter.Any) {
            return "";
        }
        List<String> served = new ArrayList<>();
        if (tags.matches(null)) {
            served.add(NULL_OR_MISSING.formatted("tag"));
        }
        if (!tags.tags().isEmpty()) {
            served.add("c.tag IN (@tags)");
        }
        String either = String.join(" OR ", served);
        return " AND " + (served.size() > 1 ? "(" + either + ")" : either);
    }

    private static Page found(OldestRows.OfAll answers) {
        List<ActivityCandidate> candidates = new ArrayList<>();
        long inOrderUntil = Long.MAX_VALUE;
        boolean isCut = false;
        for (OldestRows.OfQueue answer : answers.parts()) {
            answer.rows().forEach(row -> candidates.add(candidate(row)));
            if (answer.isCut()) {
                isCut = true;
                inOrderUntil = Math.min(inOrderUntil, answer.shownUntil());
            }
        }
        long until = inOrderUntil;
        return new Page(
                candidates.stream()
                        .filter(candidate -> candidate.item().document().enqueuedAt() <= until)
                        .sorted(Comparator.comparing(
                                candidate -> candidate.item().document(), QueueDocument.FIFO))
                        .toList(),
                isCut,
                !answers.isWhole());
    }

    private static ActivityCandidate candidate(QueueRows.Row row) {
        return ActivityCandidate.seen(
                new Stored<>(row.document(), DocumentJson.etag(row.json())),
                row.json().path(LENGTH).asLong());
    }

    /** Marks the call in errors. */
    static Call call(String operation, QueueDocument item, Duration within) {
        return new Call(
                operation,
                "activity " + item.activityId() + " of instance '" + item.instanceId() + "'",
                Deadline.in(within));
    }
}
