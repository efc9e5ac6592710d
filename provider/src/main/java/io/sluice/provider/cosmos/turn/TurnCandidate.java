package io.sluice.provider.cosmos.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.candidate.Candidate;
import io.sluice.provider.cosmos.candidate.CandidateQuery;
import io.sluice.provider.cosmos.candidate.Found;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An instance with messages to take.
 *
 * @param messages those the query returned, in FIFO order
 * @param exhaustive whether these were all that were visible, the query not having been cut short
 */
record TurnCandidate(String instanceId, List<QueueDocument> messages, boolean exhaustive, long queriedAtNanos)
        implements Candidate {
    @Override
    public String key() {
        return instanceId;
    }

    /** The query over all instances. */
    static CandidateQuery<TurnCandidate> query(ContainerRequests requests, InstantSource clock) {
        return (call, limit, hidden, sentAtNanos) -> find(requests, clock, call, new Page(limit, hidden, sentAtNanos));
    }

    private record Page(int limit, Collection<String> hidden, long sentAtNanos) {}

    private static Found<TurnCandidate> find(ContainerRequests requests, InstantSource clock, Call call, Page page) {
        SqlQuery query = SqlQuery.of("SELECT TOP " + page.limit()
                        + " c.id, c.instanceId, c.workItem, c.visibleAt, c.enqueuedAt, c.attemptCount,"
                        + " c.traceparent, c.tracestate FROM c"
                        + " WHERE c.type = 'orch_queue' AND c.visibleAt <= @now AND " + PartitionReader.UNLOCKED
                        + " AND NOT ARRAY_CONTAINS(@hidden, c.instanceId) ORDER BY c.enqueuedAt")
                .with("@now", clock.millis())
                .with("@hidden", new ArrayList<>(page.hidden()));
        List<ObjectNode> rows = requests.queryAllPartitions(call, query);
        boolean exhaustive = rows.size() < page.limit();
        Map<String, List<QueueDocument>> byInstance = new LinkedHashMap<>();
        rows.stream()
                .map(QueueDocument::fromJson)
                .sorted(QueueDocument.FIFO)
                .forEach(message -> byInstance
                        .computeIfAbsent(message.instanceId(), id -> new ArrayList<>())
                        .add(message));
        List<TurnCandidate> candidates = new ArrayList<>();
        byInstance.forEach((instanceId, messages) ->
                candidates.add(new TurnCandidate(instanceId, List.copyOf(messages), exhaustive, page.sentAtNanos())));
        return new Found<>(candidates, exhaustive);
    }
}
