package io.sluice.provider.cosmos.turn.ack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.lock.HeldTurns;
import io.sluice.provider.cosmos.turn.read.PartitionReader;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.HistoryDocument;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.StagedCommit;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.WriteOutcome;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out by one read of the partition whether an ack that was refused, or got no answer, was committed. */
final class TurnSettlement {
    private final ContainerRequests requests;
    private final PartitionReader partitions;
    private final HeldTurns held;
    private final InstantSource clock;

    TurnSettlement(StoredInstances stored, HeldTurns held) {
        this.requests = stored.requests();
        this.partitions = stored.partitions();
        this.held = held;
        this.clock = stored.clock();
    }

    /** What one read showed. */
    private record PartitionNow(
            @Nullable Stored<InstanceDocument> head,
            boolean isOursThere,
            @Nullable StagedCommit commit) {}

    /**
     * Reads until it is certain whether an earlier try of the ack was committed. When the lock is still ours and alive,
     * its version is noted in the turn. When it lapsed while a try may be under way, it is fenced off first.
     *
     * @throws ProviderException permanent when the lock is lost, and no try of this ack can commit any more; retryable
     *     when the store can't be read
     */
    CommitState settle(Call call, HeldTurn turn, TurnAck ack, TurnPlan plan) {
        Backoff backoff = new Backoff();
        while (true) {
            PartitionNow now = read(call, turn, plan);
            StagedCommit commit = now.commit();
            if (commit != null) {
                if (turn.isTryOf(ack, commit.tryId())) {
                    return CommitState.COMMITTED;
                }
                throw held.lose(TurnPlan.OPERATION, turn, "another ack under it was committed");
            }
            Stored<InstanceDocument> head = now.head();
            if (head == null || !head.document().bears(turn.token())) {
                if (turn.isAmbiguous() && now.isOursThere()) {
                    return CommitState.COMMITTED;
                }
                throw held.lose(
                        TurnPlan.OPERATION, turn, head == null ? "the instance is gone" : "somebody else took it");
            }
            turn.moveTo(head);
            if (turn.isAlive(clock.millis())) {
                return CommitState.OPEN;
            }
            if (!turn.isAmbiguous() || tryFence(call, turn, backoff)) {
                throw held.lose(TurnPlan.OPERATION, turn, "it expired");
            }
        }
    }

    private PartitionNow read(Call call, HeldTurn turn, TurnPlan plan) {
        HistoryDocument first = plan.firstEvent();
        List<String> ids = new ArrayList<>();
        ids.add(DocumentIds.instance(turn.instanceId()));
        ids.add(DocumentIds.stagedCommit(turn.token()));
        String receipt = plan.receiptId();
        if (receipt != null) {
            ids.add(receipt);
        } else if (first == null) {
            turn.contents().messages().forEach(message -> ids.add(message.id()));
        } else {
            ids.add(first.id());
        }
        @Nullable Stored<InstanceDocument> head = null;
        boolean sameEvent = false;
        boolean anyMessage = false;
        boolean hasReceipt = false;
        @Nullable StagedCommit commit = null;
        for (ObjectNode row : partitions.documents(call, turn.instanceId(), ids)) {
            if (DocumentJson.isType(row, DocumentType.INSTANCE)) {
                head = new Stored<>(InstanceDocument.fromJson(row), DocumentJson.etag(row));
            } else if (DocumentJson.isType(row, DocumentType.HISTORY)) {
                // Its content, not only its id: another holder's turn has the same ids.
                sameEvent = first != null && HistoryDocument.fromJson(row).equals(first);
            } else if (StagedCommit.is(row)) {
                commit = StagedCommit.fromJson(row);
            } else if (DocumentJson.id(row).equals(receipt)) {
                hasReceipt = true;
            } else {
                anyMessage |= DocumentJson.isType(row, DocumentType.ORCHESTRATOR_QUEUE);
            }
        }
        boolean isDrained = first == null && receipt == null && !anyMessage;
        return new PartitionNow(head, sameEvent || hasReceipt || isDrained, commit);
    }

    /**
     * The lock lapsed with a try perhaps still under way: moves the instance's version, so that the try can't commit
     * after we called it lost.
     *
     * @return false when another writer moved the instance first: read again
     */
    private boolean tryFence(Call call, HeldTurn turn, Backoff backoff) {
        Stored<InstanceDocument> head = turn.head();
        long updatedAt = Math.max(clock.millis(), head.document().updatedAt() + 1);
        InstanceDocument free = turn.free(updatedAt);
        FieldPatch unlock = FieldPatch.set(Fields.LOCK_TOKEN, free.lockToken())
                .and(Fields.LOCKED_UNTIL, free.lockedUntil())
                .and(Fields.UPDATED_AT, updatedAt);
        WriteOutcome outcome = requests.batchPatiently(
                call,
                turn.instanceId(),
                List.of(new BatchWrite.PatchFields(head.document().id(), unlock, head.etag())));
        return outcome.match(
                committed -> true,
                refused -> false,
                ambiguous -> {
                    if (!backoff.pause(call, null)) {
                        throw Failures.of(call, ambiguous);
                    }
                    return false;
                },
                Failures.throwing(call));
    }
}
