package io.sluice.provider.cosmos.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.candidate.Candidate;
import io.sluice.provider.cosmos.candidate.CandidateQuery;
import io.sluice.provider.cosmos.candidate.Found;
import io.sluice.provider.cosmos.document.MalformedDocumentException;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.QueryResult;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An instance with messages to take.
 *
 * @param messages those the query returned, in FIFO order; empty for an instance that no query was asked about yet
 * @param exhaustive whether these were all that were visible, the query not having been cut short
 */
record TurnCandidate(String instanceId, List<QueueDocument> messages, boolean exhaustive, long queriedAtNanos)
        implements Candidate {
    private static final String FIELDS =
            " c.id, c.instanceId, c.workItem, c.visibleAt, c.enqueuedAt, c.attemptCount, c.traceparent, c.tracestate";
    private static final String VISIBLE =
            " FROM c WHERE c.type = 'orch_queue' AND c.visibleAt <= @now AND " + PartitionReader.UNLOCKED;
    private static final String MESSAGES = "SELECT" + FIELDS + VISIBLE;

    @Override
    public String key() {
        return instanceId;
    }

    /** An instance that this process knows to have messages. */
    static TurnCandidate announced(String instanceId, long atNanos) {
        return new TurnCandidate(instanceId, List.of(), false, atNanos);
    }

    /** Whether its messages are still to be asked for. */
    boolean isAnnounced() {
        return messages.isEmpty();
    }

    /** The same with its messages, by one query of its partition, for which the SDK needs no plan; empty when there are none to take. */
    Optional<TurnCandidate> look(ContainerRequests requests, InstantSource clock, Call call) {
        QueryResult result =
                requests.query(call, instanceId, SqlQuery.of(MESSAGES).with("@now", clock.millis()));
        List<QueueDocument> found = parsed(call, result.rows());
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new TurnCandidate(instanceId, found, result.pages() <= 1, queriedAtNanos));
    }

    private static List<QueueDocument> parsed(Call call, List<ObjectNode> rows) {
        try {
            return rows.stream()
                    .map(QueueDocument::fromJson)
                    .sorted(QueueDocument.FIFO)
                    .toList();
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }

    /** The query over all instances. */
    static CandidateQuery<TurnCandidate> query(ContainerRequests requests, InstantSource clock) {
        return (call, limit, hidden, sentAtNanos) -> find(requests, clock, call, new Page(limit, hidden, sentAtNanos));
    }

    private record Page(int limit, Collection<String> hidden, long sentAtNanos) {}

    private static Found<TurnCandidate> find(ContainerRequests requests, InstantSource clock, Call call, Page page) {
        SqlQuery query = SqlQuery.of("SELECT TOP " + page.limit() + FIELDS + VISIBLE
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
