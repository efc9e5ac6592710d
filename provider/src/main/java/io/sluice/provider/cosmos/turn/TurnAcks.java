package io.sluice.provider.cosmos.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Backoff;
import io.sluice.provider.cosmos.request.BatchWrite;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.Deadline;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.SqlQuery;
import io.sluice.provider.cosmos.request.WriteOutcome;
import io.sluice.provider.cosmos.staged.StagedTurn;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acks turns: one batch with If-Match on the instance, or for the large, parts put in place, one such batch, and the parts applied. An answer that leaves doubt is settled by one read of the partition, never by repeating
 * blindly; once a try was in doubt, every later refusal is judged so too. The rules are those of the protocol model of fetch, renewal and ack.
 */
final class TurnAcks {
    private static final Logger LOG = LoggerFactory.getLogger(TurnAcks.class);
    private static final String OPERATION = TurnPlan.OPERATION;
    private static final Duration READ_PATIENCE = Duration.ofSeconds(10);
    private static final String CANCELLED =
            "SELECT c.id, c.executionId, c.activityId FROM c WHERE c.type = 'worker_queue'"
                    + " AND ARRAY_CONTAINS(@activities, c.activityId)";

    private final TurnParts parts;
    private final TurnSettlement settlement;
    private final ImmediateDelivery delivery;

    TurnAcks(TurnParts parts) {
        this.parts = parts;
        this.settlement = new TurnSettlement(parts);
        this.delivery = new ImmediateDelivery(
                parts.outbox(),
                new FailedIntents(parts.requests(), parts.clock()),
                parts.clock(),
                parts.settings().pairsAtOnce());
    }

    void ack(TurnAck ack) {
        Call lookUp = new Call(OPERATION, "a turn", Deadline.in(READ_PATIENCE));
        HeldTurn turn = parts.held().require(lookUp, ack.lockToken());
        turn.acking().lock();
        try {
            // Whoever came first may have committed or lost it.
            new Attempt(ack, parts.held().require(lookUp, ack.lockToken())).run();
        } finally {
            turn.acking().unlock();
        }
    }

    /** One call of ack: as many tries as the lock's life allows. */
    private final class Attempt {
        private final TurnAck ack;
        private final HeldTurn turn;
        private final String instanceId;
        private final Set<String> missing = new HashSet<>();
        private final Backoff backoff = new Backoff();
        private List<String> cancelled = List.of();

        Attempt(TurnAck ack, HeldTurn turn) {
            this.ack = ack;
            this.turn = turn;
            this.instanceId = turn.instanceId();
        }

        void run() {
            if (!turn.isAlive(now()) && !turn.isAmbiguous()) {
                throw settlement.lost(turn, "it expired before the ack");
            }
            new AckCheck(OPERATION, instanceId).check(ack, turn.execution());
            cancelled = cancelledDocuments();
            TurnPlan plan = plan();
            if ((turn.isAmbiguous() || turn.head().document().isLockedFar()) && settled(plan)) {
                return;
            }
            if (plan.fitsOneBatch()) {
                inOneBatch();
            } else {
                inParts(plan);
            }
        }

        private void inOneBatch() {
            while (true) {
                TurnPlan plan = plan();
                WriteOutcome outcome = send(plan.writes());
                if (outcome instanceof WriteOutcome.Committed committed) {
                    committed(
                            plan,
                            new Stored<>(plan.after(), committed.etags().get(0)),
                            plan.activities(committed.etags()));
                    return;
                }
                if (concluded(plan, plan.writes(), outcome)) {
                    return;
                }
            }
        }

        private WriteOutcome send(List<BatchWrite> writes) {
            try {
                return parts.requests().batch(call(), instanceId, writes);
            } catch (ProviderException e) {
                // Interrupted, and it may go through all the same.
                turn.becameAmbiguous();
                throw e;
            }
        }

        /** The plan stays the same from the first part to the commit; only the version of the instance may move meanwhile. */
        private void inParts(TurnPlan plan) {
            StagedTurn staged = StagedTurn.of(
                    OPERATION,
                    "instance '" + instanceId + "'",
                    DocumentJson.sizeBytes(plan.after().toJson()),
                    plan.besides());
            if (hasDuplicates(plan)) {
                return;
            }
            turn.stagedBy(staged.tryId(), ack);
            if (!parts.staging().stage(this::callWhileAlive, instanceId, turn.token(), staged)) {
                throw settlement.lost(turn, "somebody else took it and removed what was staged");
            }
            while (true) {
                CommitBatch batch = CommitBatch.of(OPERATION, plan, staged, turn.head(), missing, parts.ids(), now());
                WriteOutcome outcome = send(batch.writes());
                if (outcome instanceof WriteOutcome.Committed committed) {
                    turn.moved(new Stored<>(batch.after(), committed.etags().get(0)));
                    applied(plan, batch, committed.etags().get(CommitBatch.COMMIT_DOCUMENT));
                    return;
                }
                if (outcome instanceof WriteOutcome.NotFound gone && gone.index() == CommitBatch.TRY_DOCUMENT) {
                    throw settlement.lost(turn, "somebody else took it and removed what was staged");
                }
                if (concluded(plan, batch.writes(), outcome)) {
                    return;
                }
            }
        }

        /** Committed; whoever meets the instance can apply the parts, so a failure here fails nothing. */
        private void applied(TurnPlan plan, CommitBatch batch, String etag) {
            Optional<TurnFinisher.Unlocked> unlocked = Optional.empty();
            try {
                unlocked = parts.finisher().finish(settling(), new Stored<>(batch.commit(), etag));
            } catch (ProviderException e) {
                leftToOthers(e);
            }
            if (unlocked.isPresent()) {
                InstanceDocument free = batch.after().unlocked(unlocked.get().updatedAt());
                committed(plan, new Stored<>(free, unlocked.get().etag()), List.of());
            } else {
                alreadyCommitted();
            }
        }

        private void leftToOthers(ProviderException why) {
            LOG.atWarn()
                    .addKeyValue("instance", instanceId)
                    .setCause(why)
                    .log("a committed turn is not applied yet; the next to meet the instance goes on");
        }

        /**
         * Later parts could not be refused any more, once the first is committed. True when the events are there because the turn is committed after
         * all; somebody else's are there because the lock is lost.
         */
        private boolean hasDuplicates(TurnPlan plan) {
            Set<String> ids = new HashSet<>();
            plan.history().forEach(event -> {
                if (!ids.add(event.id())) {
                    throw Histories.duplicate(OPERATION, instanceId, event.id());
                }
            });
            Optional<String> existing = ids.isEmpty()
                    ? Optional.empty()
                    : parts.histories().existing(call(), instanceId, plan.history()).stream()
                            .findFirst();
            if (existing.isPresent() && !settled(plan)) {
                throw Histories.duplicate(OPERATION, instanceId, existing.get());
            }
            return existing.isPresent();
        }

        /** True when the turn is committed after all; false to try again. */
        private boolean concluded(TurnPlan plan, List<BatchWrite> writes, WriteOutcome outcome) {
            if (outcome.isOnlyForNow()) {
                rest(outcome);
                return false;
            }
            if (outcome instanceof WriteOutcome.NotFound notFound && notFound.index() > 0) {
                // Of what is deleted unconditionally something is gone: a worker was faster than its cancellation.
                missing.add(writes.get(notFound.index()).id());
                return false;
            }
            if (outcome instanceof WriteOutcome.Conflict conflict) {
                throw conflicting(writes.get(conflict.index()));
            }
            if (outcome instanceof WriteOutcome.Rejected) {
                throw Failures.of(call(), outcome);
            }
            if (outcome instanceof WriteOutcome.Ambiguous) {
                turn.becameAmbiguous();
            }
            if (settled(plan)) {
                return true;
            }
            if (outcome instanceof WriteOutcome.Ambiguous && !backoff.pause(call(), null)) {
                // No more tries: once the lock has lapsed the last one is settled for good.
                Backoff.waitOut(call());
                return settled(plan);
            }
            return false;
        }

        private boolean settled(TurnPlan plan) {
            if (!settlement.isCommitted(settling(), turn, ack, plan)) {
                return false;
            }
            if (!plan.fitsOneBatch()) {
                try {
                    parts.finisher().finishIfAny(settling(), instanceId);
                } catch (ProviderException e) {
                    leftToOthers(e);
                }
            }
            alreadyCommitted();
            return true;
        }

        /** What the partition holds now is not known here. */
        private void alreadyCommitted() {
            parts.cache().forget(instanceId);
            parts.held().bury(turn, "it was acked already");
            wake(List.of());
        }

        private void rest(WriteOutcome outcome) {
            if (!backoff.pause(call(), outcome.retryAfter())) {
                throw Failures.of(call(), outcome);
            }
        }

        /** The instance came first in the batch, so its version was right: the lock is ours, and the id really is taken. */
        private ProviderException conflicting(BatchWrite write) {
            return Histories.duplicate(OPERATION, instanceId, write.id());
        }

        private TurnPlan plan() {
            return TurnPlan.of(
                    ack,
                    new TurnPlan.Input(
                            turn.head(), turn.contents(), cancelled, missing, parts.settings(), parts.ids(), now()));
        }

        private List<String> cancelledDocuments() {
            if (ack.cancelledActivities().isEmpty()) {
                return List.of();
            }
            List<Long> activities = new ArrayList<>();
            ack.cancelledActivities().forEach(activity -> activities.add(activity.activityId()));
            List<ObjectNode> rows = parts.requests()
                    .query(call(), instanceId, SqlQuery.of(CANCELLED).with("@activities", activities))
                    .rows();
            Set<ScheduledActivityIdentifier> wanted = new HashSet<>(ack.cancelledActivities());
            return rows.stream()
                    .filter(row -> wanted.contains(new ScheduledActivityIdentifier(
                            instanceId,
                            row.path("executionId").asLong(),
                            row.path("activityId").asLong())))
                    .map(row -> row.path("id").asText())
                    .toList();
        }

        private void committed(TurnPlan plan, Stored<InstanceDocument> after, List<Stored<QueueDocument>> activities) {
            parts.held().bury(turn, "it was acked already");
            List<Intent> mine = plan.intents().stream()
                    .map(document -> Intent.of(document, ""))
                    .toList();
            List<Intent> open = new ArrayList<>(turn.contents().openIntents());
            open.addAll(mine);
            open.removeAll(ownTry(mine));
            remember(plan, after, open);
            wake(activities);
        }

        private List<Intent> ownTry(List<Intent> mine) {
            if (!parts.settings().immediateDelivery() || mine.isEmpty()) {
                return List.of();
            }
            Set<String> waiting = new HashSet<>();
            turn.contents().openIntents().forEach(intent -> waiting.add(intent.targetInstance()));
            List<Intent> free = mine.stream()
                    .filter(intent -> !waiting.contains(intent.targetInstance()))
                    .toList();
            List<Intent> settled = free.isEmpty() ? List.of() : delivery.deliver(instanceId, free);
            settled.forEach(intent -> parts.feeds().startFor(intent.targetInstance()));
            return settled;
        }

        private void remember(TurnPlan plan, Stored<InstanceDocument> after, List<Intent> open) {
            Histories.@Nullable Decoded before = turn.history();
            boolean starts = ack.executionId() > turn.execution();
            boolean current = ack.executionId() == plan.after().currentExecutionId();
            if ((before == null && !starts) || !current) {
                parts.cache().forget(instanceId);
                return;
            }
            Histories.Decoded grown = starts || before == null ? Histories.Decoded.EMPTY : before;
            var entry = new InstanceCache.Entry(
                    after,
                    grown.with(ack.historyDelta(), plan.historyCharacters()),
                    plan.keyValuesAfter(),
                    List.copyOf(open));
            parts.cache().put(instanceId, entry);
        }

        private void wake(List<Stored<QueueDocument>> activities) {
            parts.feeds().released(instanceId);
            for (WorkItem item : ack.orchestratorItems()) {
                if (item instanceof WorkItem.TimerFired timer) {
                    parts.feeds().messageFor(item.routedInstance(), timer.visibleAtMillis(now()));
                } else if (item.routedInstance().equals(instanceId)) {
                    parts.feeds().messagesFor(instanceId);
                }
            }
            if (!ack.workerItems().isEmpty()) {
                parts.activitiesQueued().accept(activities);
            }
        }

        /** For what comes after the lock: finding out, and applying what is committed. */
        private Call settling() {
            return Call.onInstance(OPERATION, instanceId, READ_PATIENCE);
        }

        /** While parts are put in place; only the commit, whose answer may be lost, is tried past the lock's life, and then settled. */
        private Call callWhileAlive() {
            if (turn.isAlive(now())) {
                return call();
            }
            if (turn.isAmbiguous()) {
                throw ProviderException.retryable(
                        OPERATION,
                        "the lock on instance '" + instanceId + "' lapsed while an earlier ack under it is in doubt",
                        null);
            }
            throw settlement.lost(turn, "it expired before the ack was committed");
        }

        private Call call() {
            long left = Math.max(0, turn.lockedUntil() - now());
            return Call.onInstance(OPERATION, instanceId, Duration.ofMillis(left));
        }

        private long now() {
            return parts.clock().millis();
        }
    }
}
