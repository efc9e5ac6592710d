package io.sluice.provider.cosmos.turn.ack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.staged.StagedTurn;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes the plans of an ack: what has to be read for them once, and one plan per try. Thread-safe. */
public final class AckPlanner {
    private static final String CANCELLED =
            "SELECT c.id, c.executionId, c.activityId FROM c WHERE c.type = 'worker_queue'";
    /** What surely fits into a query: a turn may cancel thousands. */
    private static final int ACTIVITIES_PER_QUERY = 1_000;

    private final ContainerRequests requests;
    private final TurnSettings settings;
    private final TimeOrderedIds ids;
    private final InstantSource clock;

    /** Plans by these settings; no request is made. */
    public AckPlanner(ContainerRequests requests, TurnSettings settings, TimeOrderedIds ids, InstantSource clock) {
        this.requests = requests;
        this.settings = settings;
        this.ids = ids;
        this.clock = clock;
    }

    /** How turns are acked. */
    public TurnSettings settings() {
        return settings;
    }

    /**
     * Checks the ack against its turn, and finds the documents of the activities that it cancels.
     *
     * @throws ProviderException permanent when the ack contradicts the turn
     */
    PendingAck begin(TurnAck ack, HeldTurn turn) {
        TurnAck accepted = new AckCheck(TurnPlan.OPERATION, turn.instanceId(), settings.refusingForeignEvents())
                .accept(ack, turn.execution());
        return new PendingAck(accepted, turn, findCancelled(accepted, turn));
    }

    private List<String> findCancelled(TurnAck ack, HeldTurn turn) {
        if (ack.cancelledActivities().isEmpty()) {
            return List.of();
        }
        String instanceId = turn.instanceId();
        List<Long> activities = ack.cancelledActivities().stream()
                .map(ScheduledActivityIdentifier::activityId)
                .distinct()
                .toList();
        Call call = turn.callWhileAlive(TurnPlan.OPERATION, clock.millis());
        List<ObjectNode> rows = new ArrayList<>();
        for (int from = 0; from < activities.size(); from += ACTIVITIES_PER_QUERY) {
            List<Long> some = activities.subList(from, Math.min(activities.size(), from + ACTIVITIES_PER_QUERY));
            SqlQuery query = SqlQuery.of(CANCELLED).andOneOf("c.activityId", some);
            rows.addAll(requests.query(call, instanceId, query).rows());
        }
        Set<ScheduledActivityIdentifier> wanted = new HashSet<>(ack.cancelledActivities());
        return rows.stream()
                .filter(row -> wanted.contains(new ScheduledActivityIdentifier(
                        instanceId,
                        row.path("executionId").asLong(),
                        row.path("activityId").asLong())))
                .map(row -> row.path("id").asText())
                .toList();
    }

    /** The plan for the next try. */
    TurnPlan plan(PendingAck pending) {
        HeldTurn turn = pending.turn();
        return TurnPlan.of(
                pending.ack(),
                new TurnPlan.Input(
                        turn.head(),
                        turn.contents(),
                        turn.isAcked(),
                        pending.cancelled(),
                        pending.missing(),
                        settings,
                        ids,
                        clock.millis()));
    }

    /** The batch that commits a plan whose parts are staged, for the next try. */
    CommitBatch commitBatch(PendingAck pending, TurnPlan plan, StagedTurn staged) {
        return CommitBatch.of(plan, staged, pending, ids, clock.millis());
    }
}
