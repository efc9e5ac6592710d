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
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * An instance with messages to take.
 *
 * @param messages those the query returned, in FIFO order; empty for an instance that no query was asked about yet
 * @param exhaustive whether these were all that were visible, the query not having been cut short
 * @param isAwaited whether it was set aside for want of the start that was found
 */
record TurnCandidate(
        String instanceId, List<QueueDocument> messages, boolean exhaustive, boolean isAwaited, long queriedAtNanos)
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
        return new TurnCandidate(instanceId, List.of(), false, false, atNanos);
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
                : Optional.of(new TurnCandidate(instanceId, found, result.pages() <= 1, isAwaited, queriedAtNanos));
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

    /**
     * The query over all instances.
     *
     * @param waiting instances of which nothing but a start is worth finding
     */
    static CandidateQuery<TurnCandidate> query(
            ContainerRequests requests, InstantSource clock, Predicate<String> waiting) {
        return (call, limit, hidden, sentAtNanos) -> {
            Set<String> awaited = hidden.stream().filter(waiting).collect(Collectors.toSet());
            List<String> others =
                    hidden.stream().filter(id -> !awaited.contains(id)).toList();
            SqlQuery query = sql(limit, others, awaited).with("@now", clock.millis());
            List<ObjectNode> rows = requests.queryAllPartitions(call, query);
            boolean exhaustive = rows.size() < limit;
            Map<String, List<QueueDocument>> byInstance = new LinkedHashMap<>();
            rows.stream()
                    .map(QueueDocument::fromJson)
                    .sorted(QueueDocument.FIFO)
                    .forEach(message -> byInstance
                            .computeIfAbsent(message.instanceId(), id -> new ArrayList<>())
                            .add(message));
            List<TurnCandidate> candidates = new ArrayList<>();
            byInstance.forEach((id, messages) -> {
                // Of one that was awaited the start alone is shown.
                boolean isAwaited = awaited.contains(id);
                candidates.add(
                        new TurnCandidate(id, List.copyOf(messages), exhaustive && !isAwaited, isAwaited, sentAtNanos));
            });
            return new Found<>(candidates, exhaustive);
        };
    }

    private static SqlQuery sql(int limit, Collection<String> hidden, Collection<String> waiting) {
        String shown = " AND NOT ARRAY_CONTAINS(@hidden, c.instanceId)";
        if (!waiting.isEmpty()) {
            shown += " AND (NOT ARRAY_CONTAINS(@waiting, c.instanceId)";
            for (String start : Messages.STARTS) {
                shown += " OR STARTSWITH(c.workItem, '" + start + "')";
            }
            shown += ")";
        }
        SqlQuery query = SqlQuery.of("SELECT TOP " + limit + FIELDS + VISIBLE + shown + " ORDER BY c.enqueuedAt")
                .with("@hidden", new ArrayList<>(hidden));
        return waiting.isEmpty() ? query : query.with("@waiting", new ArrayList<>(waiting));
    }
}
