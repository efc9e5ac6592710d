package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TraceContext;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.staged.StagedTurn;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.HistoryDocument;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.IntentDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one ack will write. Pure: made from the held turn and the ack, touches nothing.
 *
 * @param writes all of it as one batch; the instance comes first, so that a lost lock is what the store reports rather
 *     than its consequences
 * @param besides the instance: the same writes, to be cut into several batches
 * @param after the instance as it will be, unlocked
 * @param intents what must reach other partitions, in order of delivery
 * @param historyCharacters of the new events' JSON
 * @param history the new events; by the first a committed try is recognised
 */
record TurnPlan(
        List<BatchWrite> writes,
        StagedTurn.Contents besides,
        InstanceDocument after,
        KeyValues keyValuesAfter,
        List<IntentDocument> intents,
        long historyCharacters,
        List<HistoryDocument> history) {
    static final String OPERATION = "ackOrchestrationItem";

    private static final long OWN_TRY_MILLIS = 1_000;
    private static final Set<String> TERMINAL = Set.of("Completed", "Failed", "ContinuedAsNew");

    /**
     * What a plan is made from, in addition to the ack.
     *
     * @param acked whether the instance is known to have been acked before
     * @param cancelled ids of the worker documents to delete
     * @param missing ids of documents that turned out to be gone, and are left out
     */
    record Input(
            Stored<InstanceDocument> head,
            HeldTurn.Contents contents,
            boolean acked,
            List<String> cancelled,
            Set<String> missing,
            TurnSettings settings,
            TimeOrderedIds ids,
            long nowMillis) {}

    /**
     * The plan for an ack.
     *
     * @throws ProviderException permanent when something in it exceeds what the service can hold
     */
    static TurnPlan of(TurnAck ack, Input input) {
        return new Builder(ack, input).build();
    }

    /** Whether it fits into one transactional batch. */
    boolean fitsOneBatch() {
        return writes.size() <= BatchWrite.MAX_OPERATIONS
                && (writes.stream().mapToLong(BatchWrite::boundBytes).sum() <= BatchWrite.MAX_BYTES
                        || writes.stream().mapToLong(BatchWrite::sizeBytes).sum() <= BatchWrite.MAX_BYTES);
    }

    /** The activities among the writes, with the versions that a committed batch gave them. */
    List<Stored<QueueDocument>> activities(List<String> etags) {
        List<Stored<QueueDocument>> activities = new ArrayList<>();
        for (int i = 0; i < writes.size(); i++) {
            if (writes.get(i) instanceof BatchWrite.Create create
                    && DocumentJson.isType(create.document(), DocumentType.WORKER_QUEUE)) {
                activities.add(new Stored<>(QueueDocument.fromJson(create.document()), etags.get(i)));
            }
        }
        return activities;
    }

    /** The first event, by which a committed try is recognised; null when the turn has no history. */
    @Nullable
    HistoryDocument firstEvent() {
        return history.isEmpty() ? null : history.get(0);
    }

    /**
     * Id of the receipt, by which a committed try is recognised that has no history and does more than to consume
     * messages: who consumes them next does that as well. Null where there is none.
     */
    @Nullable
    String receiptId() {
        return history.isEmpty() && !besides.first().isEmpty()
                ? besides.first().get(0).id()
                : null;
    }

    /** Collects the parts; used once. */
    private static final class Builder {
        private final TurnAck ack;
        private final Input input;
        private final InstanceDocument before;
        private final String instanceId;
        private final long now;
        private final List<IntentDocument> intents = new ArrayList<>();
        private final Dispatch dispatch;
        private long lastQueuedAt;

        Builder(TurnAck ack, Input input) {
            this.ack = ack;
            this.input = input;
            this.before = input.head().document();
            this.instanceId = before.instanceId();
            this.now = input.nowMillis();
            this.dispatch = dispatch();
        }

        private Dispatch dispatch() {
            List<QueueDocument> consumed = input.contents().messages();
            Instant deadline = ack.dispatch().deadline();
            TraceContext told = ack.dispatch().trace();
            return new Dispatch(
                    ack.dispatch().correlationId(),
                    ack.executionId(),
                    consumed.isEmpty() ? null : consumed.get(0).id(),
                    deadline == null ? null : Long.valueOf(deadline.toEpochMilli()),
                    told == null
                            ? consumed.stream()
                                    .map(QueueDocument::trace)
                                    .filter(Objects::nonNull)
                                    .findFirst()
                                    .orElse(null)
                            : told);
        }

        TurnPlan build() {
            long turnTime = turnTime();
            List<BatchWrite> queued = new ArrayList<>();
            routeActivities(queued, turnTime);
            routeMessages(queued, turnTime);
            KeyValuePlan keyValues = KeyValuePlan.of(
                    instanceId, input.contents().keyValues(), ack.historyDelta(), ack.executionId(), isTerminal(), now);
            InstanceDocument after = NextHead.of(
                    before, input.acked(), ack, Math.max(intents.isEmpty() ? updatedAt() : turnTime, lastQueuedAt));

            List<HistoryDocument> history = history();
            List<BatchWrite> consumed =
                    deletes(input.contents().messages().stream().map(QueueDocument::id));
            List<BatchWrite> events = new ArrayList<>();
            history.forEach(event -> events.add(new BatchWrite.Create(event.toJson(dispatch.trace()))));
            if (history.isEmpty() && !isDrain(after)) {
                events.add(receipt());
            }
            intents.forEach(intent -> queued.add(new BatchWrite.Create(intent.toJson())));
            List<BatchWrite> changed =
                    keyValues.writes().stream().filter(this::isNotMissing).toList();
            List<BatchWrite> cancelled = deletes(input.cancelled().stream());

            List<BatchWrite> writes = new ArrayList<>();
            writes.add(new BatchWrite.Replace(after.toJson(), input.head().etag()));
            Stream.of(consumed, events, queued, changed, cancelled).forEach(writes::addAll);
            int first = Math.min(1, events.size());
            List<BatchWrite> following = new ArrayList<>(events.subList(first, events.size()));
            Stream.of(changed, queued).forEach(following::addAll);
            return new TurnPlan(
                    List.copyOf(writes),
                    new StagedTurn.Contents(events.subList(0, first), cancelled, following, consumed),
                    after,
                    keyValues.after(),
                    List.copyOf(intents),
                    history.stream()
                            .mapToLong(event -> event.eventData().length())
                            .sum(),
                    List.copyOf(history));
        }

        /** Whether it does no more than to consume messages. */
        private boolean isDrain(InstanceDocument after) {
            return ack.workerItems().isEmpty()
                    && ack.orchestratorItems().isEmpty()
                    && ack.cancelledActivities().isEmpty()
                    && after.equals(before.unlocked(after.updatedAt()));
        }

        private BatchWrite receipt() {
            String id = DocumentIds.ackReceipt(ack.lockToken());
            return new BatchWrite.Create(
                    ReceiptDocument.delivered(id, instanceId, now, null).toJson());
        }

        private List<BatchWrite> deletes(Stream<String> ids) {
            return ids.<BatchWrite>map(id -> new BatchWrite.Delete(id, null))
                    .filter(this::isNotMissing)
                    .toList();
        }

        private boolean isNotMissing(BatchWrite write) {
            return !(write instanceof BatchWrite.Delete && input.missing().contains(write.id()));
        }

        private List<HistoryDocument> history() {
            List<HistoryDocument> documents = new ArrayList<>();
            for (HistoryEvent event : ack.historyDelta()) {
                documents.add(Histories.document(OPERATION, instanceId, ack.executionId(), event));
            }
            return documents;
        }

        private void routeActivities(List<BatchWrite> queued, long turnTime) {
            Set<ScheduledActivityIdentifier> cancelled = new HashSet<>(ack.cancelledActivities());
            for (WorkItem item : ack.workerItems()) {
                if (item instanceof WorkItem.ActivityExecute activity
                        && cancelled.contains(new ScheduledActivityIdentifier(
                                activity.instance(), activity.executionId(), activity.id()))) {
                    continue;
                }
                if (item.routedInstance().equals(instanceId)) {
                    // A millisecond each: workers find activities by a query of limited length, which among equals cuts
                    // anywhere.
                    lastQueuedAt = Math.max(updatedAt(), lastQueuedAt + 1);
                    queued.add(new BatchWrite.Create(
                            QueueDocuments.activity(OPERATION, input.ids().next(now), item, lastQueuedAt, now)
                                    .toJson()));
                } else {
                    addIntent(QueueDocuments.activity(OPERATION, nextTargetId(), item, turnTime), turnTime);
                }
            }
        }

        private void routeMessages(List<BatchWrite> queued, long turnTime) {
            for (WorkItem item : ack.orchestratorItems()) {
                if (item.routedInstance().equals(instanceId)) {
                    queued.add(new BatchWrite.Create(
                            QueueDocuments.message(OPERATION, input.ids().next(now), item, now, visibleAt(item))
                                    .toJson()));
                } else {
                    addIntent(
                            QueueDocuments.message(OPERATION, nextTargetId(), item, turnTime, visibleAt(item)),
                            turnTime);
                }
            }
        }

        private long visibleAt(WorkItem item) {
            return item instanceof WorkItem.TimerFired timer ? timer.visibleAtMillis(now) : now;
        }

        private String nextTargetId() {
            return DocumentIds.outboxTarget(nextKey());
        }

        private String nextKey() {
            return DocumentIds.intentKey(instanceId, ack.executionId(), ack.lockToken(), intents.size());
        }

        private void addIntent(QueueDocument item, long turnTime) {
            QueueDocument target = item.inTrace(dispatch.trace());
            boolean ownTry = input.settings().immediateDelivery() && !isOpen(target.instanceId());
            intents.add(new IntentDocument(
                    instanceId,
                    nextKey(),
                    target.instanceId(),
                    target.type().wireName(),
                    DocumentJson.write(target.toJson()),
                    input.settings().intentStatus(),
                    turnTime,
                    0,
                    null,
                    ownTry ? turnTime + OWN_TRY_MILLIS : turnTime,
                    dispatch));
        }

        private boolean isOpen(String target) {
            return input.contents().openIntents().stream()
                    .anyMatch(intent -> intent.targetInstance().equals(target));
        }

        private long updatedAt() {
            return Math.max(now, before.updatedAt() + 1);
        }

        /**
         * Later than everything of earlier turns, so that intents of one source sort by turn whatever the clocks say.
         */
        private long turnTime() {
            long newest = input.contents().openIntents().stream()
                    .mapToLong(Intent::createdAtMillis)
                    .max()
                    .orElse(0);
            return Math.max(Math.max(now, updatedAt() + 1), newest + 1);
        }

        private boolean isTerminal() {
            String status = ack.metadata().status();
            return status != null && TERMINAL.contains(status);
        }
    }
}
