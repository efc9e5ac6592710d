package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import io.sluice.provider.cosmos.deletion.DeletionState;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Removes the history of executions that are over. These never change again, so no lock is needed that would keep a
 * running instance from its turns; every batch proves instead that the instance still lives the same life. A batch
 * takes the oldest events there are: what a crash leaves is pruned executions, whole ones, and between them at most one
 * that lacks its beginning and still shows how it ended.
 */
final class Pruning {
    private static final String OLD_EVENTS =
            "SELECT c.id, c.executionId, c.eventId FROM c WHERE c.type = 'history' AND c.executionId < @current";
    /** Their events come with them, and may be large. */
    private static final int MOST_AT_A_TIME = 20;

    private static final int EVENTS_PER_BATCH = BatchWrite.MAX_OPERATIONS - 1;

    private final ContainerRequests requests;
    private final Heads heads;
    private final Executions executions;
    private final Deletions deletions;

    Pruning(ContainerRequests requests, Heads heads, Executions executions, Deletions deletions) {
        this.requests = requests;
        this.heads = heads;
        this.executions = executions;
        this.deletions = deletions;
    }

    private record Event(long execution, long id, String documentId) {
        static final Comparator<Event> OLDEST_FIRST =
                Comparator.comparingLong(Event::execution).thenComparingLong(Event::id);
    }

    /**
     * Prunes one instance; atomically, where what goes is fewer than a hundred events.
     *
     * @throws ProviderException permanent when there is no such instance; retryable when the relay is behind, or the
     *     instance is being deleted
     */
    PruneResult prune(Call call, String instanceId, PruneOptions options) {
        return prune(call, heads.require(call, instanceId).document(), options);
    }

    /** The same; nothing when there is no such instance any more, or another one under its id. */
    Optional<PruneResult> pruneIfThere(Call call, InstanceDocument chosen, PruneOptions options) {
        return heads.find(call, chosen.instanceId())
                .map(head -> head.document())
                .filter(head -> head.createdAt() == chosen.createdAt())
                .map(head -> prune(call, head, options));
    }

    private PruneResult prune(Call call, InstanceDocument head, PruneOptions options) {
        // One that was given up leaves its name behind, which hinders nothing here.
        if (Deletions.isHeldByOne(head) && deletions.help(call, head) == DeletionState.UNDECIDED) {
            throw retryable(call, "it is being deleted");
        }
        List<Event> events = events(call, head);
        Set<Long> going = going(call, head, events, options);
        events.removeIf(event -> !going.contains(event.execution()));
        if (!events.isEmpty()) {
            deletions.gate().await(call, List.of(head.instanceId()));
            remove(call, head, events);
        }
        return new PruneResult(1, going.size(), events.size());
    }

    private List<Event> events(Call call, InstanceDocument head) {
        List<Event> events = new ArrayList<>();
        for (ObjectNode row : requests.query(
                        call, head.instanceId(), SqlQuery.of(OLD_EVENTS).with("@current", head.currentExecutionId()))
                .rows()) {
            events.add(new Event(
                    row.path(Fields.EXECUTION_ID).asLong(),
                    row.path(Fields.EVENT_ID).asLong(),
                    row.path(Fields.ID).asText()));
        }
        events.sort(Event.OLDEST_FIRST);
        return events;
    }

    private Set<Long> going(Call call, InstanceDocument head, List<Event> events, PruneOptions options) {
        SortedMap<Long, Long> firstEvents = new TreeMap<>();
        events.forEach(event -> firstEvents.putIfAbsent(event.execution(), event.id()));
        List<Long> old = new ArrayList<>(firstEvents.keySet());
        // The current execution is one of those to keep.
        Integer keepLast = options.keepLast();
        int kept = keepLast == null ? 0 : Math.max(0, keepLast - 1);
        List<Long> candidates = old.subList(0, Math.max(0, old.size() - kept));
        @Nullable Long limit = options.completedBeforeMillis();
        if (limit == null) {
            return new HashSet<>(candidates);
        }
        return endedBefore(call, head, limit, candidates, old);
    }

    /**
     * Those of the candidates that ended before the limit. One ends after the other: they are asked for from the oldest
     * on, ever more at a time, until none of those asked for is old enough.
     */
    private Set<Long> endedBefore(Call call, InstanceDocument head, long limit, List<Long> candidates, List<Long> old) {
        Set<Long> going = new HashSet<>();
        int atATime = 1;
        for (int from = 0; from < candidates.size(); ) {
            List<Long> some = candidates.subList(from, Math.min(candidates.size(), from + atATime));
            Map<Long, Long> ends = executions.completedAt(call, head.instanceId(), some);
            boolean isAnyGoing = false;
            for (Long execution : some) {
                Long end = ends.get(execution);
                if ((end == null ? latestEnd(call, head, execution, old) : end) < limit) {
                    going.add(execution);
                    isAnyGoing = true;
                }
            }
            if (!isAnyGoing) {
                return going;
            }
            from += some.size();
            atATime = Math.min(MOST_AT_A_TIME, atATime * 2);
        }
        return going;
    }

    /** Where the history does not say when an execution ended: when the next one began, at the latest. */
    private long latestEnd(Call call, InstanceDocument head, long execution, List<Long> old) {
        int next = old.indexOf(execution) + 1;
        return executions.startedAt(call, head, next < old.size() ? old.get(next) : head.currentExecutionId());
    }

    private void remove(Call call, InstanceDocument head, List<Event> events) {
        BatchWrite guard = new BatchWrite.PatchFields(
                DocumentIds.instance(head.instanceId()),
                new FieldPatch().andIncrement(Fields.UPDATED_AT, 1),
                null,
                "FROM c WHERE c.createdAt = " + head.createdAt() + " AND c.currentExecutionId >= "
                        + head.currentExecutionId());
        List<Event> left = new ArrayList<>(events);
        Backoff backoff = new Backoff();
        while (!left.isEmpty()) {
            List<Event> some = left.subList(0, Math.min(left.size(), EVENTS_PER_BATCH));
            List<BatchWrite> batch = new ArrayList<>();
            batch.add(guard);
            some.forEach(event -> batch.add(new BatchWrite.Delete(event.documentId(), null)));
            WriteOutcome outcome = requests.batchPatiently(call, head.instanceId(), batch);
            if (outcome.isCommitted()) {
                some.clear();
            } else if (isAnotherLife(outcome)) {
                throw retryable(call, "it was deleted meanwhile");
            } else if (outcome.needsReread()) {
                // Somebody else prunes too, or the answer was lost: go on with what is left.
                left.retainAll(new HashSet<>(events(call, head)));
                if (!backoff.pause(call, null)) {
                    throw Failures.of(call, outcome);
                }
            } else {
                throw Failures.of(call, outcome);
            }
        }
    }

    private static boolean isAnotherLife(WriteOutcome outcome) {
        return outcome.match(
                committed -> false,
                refused -> switch (refused.refusal()) {
                    case PRECONDITION_FAILED -> true;
                    case NOT_FOUND -> refused.index() == 0;
                    case CONFLICT -> false;
                },
                ambiguous -> false,
                failed -> false);
    }

    private static ProviderException retryable(Call call, String why) {
        return ProviderException.retryable(
                call.operation(), call.operation() + " on " + call.subject() + " failed, " + why, null);
    }
}
