package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.QueueDepths;
import io.sluice.provider.SystemMetrics;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts over the whole store, made by the store. */
final class Counts {
    private static final String BY_STATUS =
            "SELECT c.status AS label, COUNT(1) AS total FROM c" + " WHERE c.type = 'instance' GROUP BY c.status";
    private static final String EVENTS =
            "SELECT c.type AS label, COUNT(1) AS total FROM c WHERE c.type = 'history' GROUP BY c.type";
    /** Every execution begins with event 1, and pruning removes that one first. */
    private static final String EXECUTIONS = "SELECT c.type AS label, COUNT(1) AS total FROM c"
            + " WHERE c.type = 'history' AND c.eventId = 1 GROUP BY c.type";

    private static final String DEPTHS = "SELECT c.type AS label, COUNT(1) AS total FROM c"
            + " WHERE c.type IN ('orch_queue', 'worker_queue')"
            + " AND (NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil <= @now)"
            + " GROUP BY c.type";
    private static final String HELD = "SELECT c.lockToken FROM c"
            + " WHERE c.type = 'instance' AND IS_STRING(c.lockToken) AND c.lockedUntil > @now";
    /** A renewal moves the lock of the instance alone; its messages still say until when they were locked at first. */
    private static final String OF_RENEWED_TURNS = "SELECT c.type AS label, COUNT(1) AS total FROM c"
            + " WHERE c.type = 'orch_queue' AND c.lockedUntil <= @now AND c.lockToken IN (@held)"
            + " GROUP BY c.type";
    /** What surely fits into a query. */
    private static final int TOKENS_PER_QUERY = 1_000;

    private final ContainerRequests requests;
    private final Heads heads;
    private final InstantSource clock;

    Counts(ContainerRequests requests, Heads heads, InstantSource clock) {
        this.requests = requests;
        this.heads = heads;
        this.clock = clock;
    }

    SystemMetrics metrics(Call call) {
        Map<String, Long> byStatus = totals(call, SqlQuery.of(BY_STATUS));
        long hidden = heads.neverAcked(call);
        long all = byStatus.values().stream().mapToLong(Long::longValue).sum();
        return new SystemMetrics(
                Math.max(0, all - hidden),
                totals(call, SqlQuery.of(EXECUTIONS)).getOrDefault("history", 0L),
                Math.max(0, byStatus.getOrDefault(InstanceDocument.RUNNING, 0L) - hidden),
                byStatus.getOrDefault("Completed", 0L),
                byStatus.getOrDefault("Failed", 0L),
                totals(call, SqlQuery.of(EVENTS)).getOrDefault("history", 0L));
    }

    QueueDepths depths(Call call) {
        long now = clock.millis();
        Map<String, Long> depths = totals(call, SqlQuery.of(DEPTHS).with("@now", now));
        long turns = depths.getOrDefault("orch_queue", 0L) - ofRenewedTurns(call, now);
        return new QueueDepths(Math.max(0, turns), depths.getOrDefault("worker_queue", 0L), 0);
    }

    private long ofRenewedTurns(Call call, long now) {
        List<String> held = requests.queryAllPartitions(call, SqlQuery.of(HELD).with("@now", now)).stream()
                .map(row -> row.path("lockToken").asText())
                .toList();
        long messages = 0;
        for (int from = 0; from < held.size(); from += TOKENS_PER_QUERY) {
            List<String> some = held.subList(from, Math.min(held.size(), from + TOKENS_PER_QUERY));
            messages += totals(
                            call,
                            SqlQuery.of(OF_RENEWED_TURNS).with("@now", now).withEach("@held", some))
                    .getOrDefault("orch_queue", 0L);
        }
        return messages;
    }

    private Map<String, Long> totals(Call call, SqlQuery query) {
        Map<String, Long> totals = new HashMap<>();
        for (ObjectNode row : requests.queryAllPartitions(call, query)) {
            totals.merge(row.path("label").asText(), row.path("total").asLong(), Long::sum);
        }
        return totals;
    }
}
