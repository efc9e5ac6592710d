package io.sluice.provider.cosmos.waiting;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.search.InstanceRows;
import io.sluice.provider.cosmos.search.OldestRows;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.search.RangeSearch;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.ReadyMessages;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.work.BegunOrchestration;
import io.sluice.provider.work.NamedActivity;
import io.sluice.provider.work.WaitingWork;
import io.sluice.provider.work.WaitingWork.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what has waited in the queues for a while, the oldest of each physical partition: one query of each queue in
 * each partition, and of what waits for a turn the documents of the instances, and the starts of those that have none
 * yet. A partition that does not answer is left out. Thread-safe.
 */
final class WaitingQuery {
    /** Rows of each queue that are asked for, from all partitions together; each is asked for at least four. */
    static final int MOST_ROWS = 1_000;

    /** An activity that is given back for a moment, again and again, still waits. */
    private static final long GIVEN_BACK_MILLIS = 1_000;
    /** Enough for any instance id and a name. */
    private static final int NAME_CHARACTERS = 2_048;

    private static final String HEADS = "SELECT c.instanceId, c.orchestrationName, c.orchestrationVersion, c.status,"
            + " c.lockedUntil FROM c WHERE c.type = 'instance'";
    private static final String STARTS = "SELECT c.instanceId, LEFT(c.workItem, " + NAME_CHARACTERS
            + ") AS workItem FROM c WHERE c.type = 'orch_queue' AND " + Messages.IS_START;
    private static final String ACTIVITIES = " c.id, c.instanceId, c.type, LEFT(c.workItem, " + NAME_CHARACTERS
            + ") AS workItem, c.visibleAt, c.enqueuedAt, c.attemptCount, c.sessionId, c.tag, c.executionId,"
            + " c.activityId FROM c WHERE c.type = 'worker_queue' AND c.enqueuedAt <= @before AND c.visibleAt <= @soon"
            + " AND (NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil <= @now)";

    private final ContainerRequests requests;
    private final RangeSearch ranges;
    private final QueueRows messages;
    private final QueueRows activities;

    /**
     * Of this container; no request is made.
     *
     * @param nanoTime the monotonic clock
     */
    WaitingQuery(ContainerRequests requests, LongSupplier nanoTime) {
        this.requests = requests;
        this.ranges = new RangeSearch(requests, nanoTime);
        this.messages = new QueueRows(DocumentType.ORCHESTRATOR_QUEUE, nanoTime);
        this.activities = new QueueRows(DocumentType.WORKER_QUEUE, nanoTime);
    }

    /**
     * Looks.
     *
     * @param nowMillis by the clock that locks and visibility go by
     * @param graceMillis what began to wait later than so long ago is left out
     * @throws io.sluice.provider.ProviderException when no partition answers
     */
    WaitingWork read(Call call, long nowMillis, long graceMillis) {
        Look look = new Look(call, nowMillis, nowMillis - graceMillis);
        WaitingTypes types = new WaitingTypes();
        boolean areTurnsCut = look.addTurns(types);
        boolean areActivitiesCut = look.addActivities(types);
        return types.report(nowMillis, areTurnsCut || areActivitiesCut);
    }

    /** A turn that may wait. */
    private record Turn(long sinceMillis, boolean hasStart) {
        static Turn of(QueueDocument message) {
            return new Turn(Math.max(message.visibleAt(), message.enqueuedAt()), Messages.isStart(message));
        }

        Turn and(Turn other) {
            return new Turn(Math.min(sinceMillis, other.sinceMillis), hasStart || other.hasStart);
        }
    }

    private final class Look {
        private final Call call;
        private final long nowMillis;
        private final long beforeMillis;

        Look(Call call, long nowMillis, long beforeMillis) {
            this.call = call;
            this.nowMillis = nowMillis;
            this.beforeMillis = beforeMillis;
        }

        /** Returns whether there may be more. */
        boolean addTurns(WaitingTypes types) {
            Map<String, List<String>> byRange = new LinkedHashMap<>();
            Map<String, Turn> turns = new LinkedHashMap<>();
            boolean isCut = forEach(
                    messages,
                    most -> condition -> ReadyMessages.query(most, condition).with("@now", beforeMillis),
                    (range, row) -> {
                        if (!turns.containsKey(row.instanceId())) {
                            byRange.computeIfAbsent(range, key -> new ArrayList<>())
                                    .add(row.instanceId());
                        }
                        turns.merge(row.instanceId(), Turn.of(row), Turn::and);
                    });
            Map<String, ObjectNode> heads = new HashMap<>();
            InstanceRows.ask(
                    requests,
                    call.again(),
                    HEADS,
                    byRange,
                    head -> heads.put(DocumentJson.text(head, Fields.INSTANCE_ID), head));
            turns.keySet().removeIf(id -> isLocked(heads.get(id)));
            Map<String, BegunOrchestration> begun = begun(byRange, turns, heads);
            turns.forEach((id, turn) -> {
                @Nullable ObjectNode head = heads.get(id);
                if (turn.hasStart() && !isNamed(head)) {
                    @Nullable BegunOrchestration start = begun.get(id);
                    types.add(
                            Kind.TURN,
                            start == null ? "" : start.name(),
                            start == null ? null : start.version(),
                            turn.sinceMillis());
                } else if (head != null) {
                    types.add(Kind.TURN, name(head), version(head), turn.sinceMillis());
                }
                // What has no document and no start waits for its start, not for somebody who runs it.
            });
            return isCut;
        }

        private boolean isLocked(@Nullable ObjectNode head) {
            return head != null && head.path(Fields.LOCKED_UNTIL).asLong() > nowMillis;
        }

        /** What those begin of which the document does not say it. */
        private Map<String, BegunOrchestration> begun(
                Map<String, List<String>> byRange, Map<String, Turn> turns, Map<String, ObjectNode> heads) {
            Map<String, List<String>> unnamed = new LinkedHashMap<>();
            byRange.forEach((range, ids) -> {
                List<String> left = ids.stream()
                        .filter(id -> turns.containsKey(id) && turns.get(id).hasStart() && !isNamed(heads.get(id)))
                        .toList();
                if (!left.isEmpty()) {
                    unnamed.put(range, left);
                }
            });
            Map<String, BegunOrchestration> begun = new HashMap<>();
            InstanceRows.ask(
                    requests,
                    call.again(),
                    STARTS,
                    unnamed,
                    start -> BegunOrchestration.in(start.path(Fields.WORK_ITEM).asText())
                            .ifPresent(found -> begun.put(DocumentJson.text(start, Fields.INSTANCE_ID), found)));
            return begun;
        }

        /** Returns whether there may be more. */
        boolean addActivities(WaitingTypes types) {
            return forEach(
                    activities,
                    most -> condition -> SqlQuery.of(
                                    "SELECT TOP " + most + ACTIVITIES + condition + " ORDER BY c.enqueuedAt")
                            .with("@before", beforeMillis)
                            .with("@soon", nowMillis + GIVEN_BACK_MILLIS)
                            .with("@now", nowMillis),
                    (range, row) -> {
                        long since = row.attemptCount() == 0
                                ? row.enqueuedAt()
                                : Math.max(row.visibleAt(), row.enqueuedAt());
                        if (since <= beforeMillis) {
                            types.add(Kind.ACTIVITY, name(row), null, since);
                        }
                    });
        }

        /** Reads the oldest rows of all partitions; returns whether there may be more. */
        private boolean forEach(QueueRows queue, IntFunction<Conditional> query, RowOfRange consumer) {
            List<String> all = ranges.ranges(call);
            int each = OldestRows.perRange(MOST_ROWS, all.size());
            Conditional sql = query.apply(each);
            Map<String, QueueRows.Part> answers = queue.search(condition -> {
                Map<String, SqlQuery> queries = new LinkedHashMap<>();
                all.forEach(range -> queries.put(range, sql.under(condition)));
                return ranges.ask(call.again(), queries);
            });
            answers.forEach((range, part) -> part.rows().forEach(row -> consumer.accept(range, row.document())));
            return answers.size() < all.size() || answers.values().stream().anyMatch(part -> part.found() >= each);
        }
    }

    /** A query under a further condition. */
    private interface Conditional {
        SqlQuery under(String condition);
    }

    private interface RowOfRange {
        void accept(String range, QueueDocument row);
    }

    /** Whether the document says what the next turn runs although a start waits. */
    private static boolean isNamed(@Nullable ObjectNode head) {
        return head != null
                && !name(head).isEmpty()
                && InstanceDocument.RUNNING.equals(head.path(Fields.STATUS).asText());
    }

    private static String name(ObjectNode head) {
        return head.path("orchestrationName").asText("");
    }

    private static String version(ObjectNode head) {
        return head.path("orchestrationVersion").asText("");
    }

    /** Its tag, else its name; empty where neither can be read. */
    private static String name(QueueDocument activity) {
        @Nullable String tag = activity.tag();
        return tag == null || tag.isEmpty()
                ? NamedActivity.in(activity.workItem()).orElse("")
                : tag;
    }
}
