package io.sluice.provider.cosmos.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.document.DocumentIds;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.DocumentType;
import io.sluice.provider.cosmos.document.Fields;
import io.sluice.provider.cosmos.document.HistoryDocument;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.StagedCommit;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Backoff;
import io.sluice.provider.cosmos.request.BatchWrite;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.FieldPatch;
import io.sluice.provider.cosmos.request.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out by one read of the partition what became of an ack that was refused, or got no answer. */
final class TurnSettlement {
    private final TurnParts parts;

    TurnSettlement(TurnParts parts) {
        this.parts = parts;
    }

    /** What one read showed. */
    private record Look(
            @Nullable Stored<InstanceDocument> head,
            boolean isOursThere,
            @Nullable StagedCommit commit) {}

    /**
     * Whether the ack was committed by an earlier try. False means that the lock is ours and alive, at the version now noted in the turn: try again.
     *
     * @throws ProviderException permanent when the lock is lost, and no try of this ack can commit any more; retryable when the store can't be read
     */
    boolean isCommitted(Call call, HeldTurn turn, TurnAck ack, TurnPlan plan) {
        Backoff backoff = new Backoff();
        while (true) {
            Look look = look(call, turn, plan);
            StagedCommit commit = look.commit();
            if (commit != null) {
                if (turn.wasStaged(commit.tryId(), ack)) {
                    return true;
                }
                throw lost(turn, "another ack under it was committed");
            }
            Stored<InstanceDocument> head = look.head();
            if (head == null || !head.document().bears(turn.token())) {
                if (turn.isAmbiguous() && look.isOursThere()) {
                    return true;
                }
                throw lost(turn, head == null ? "the instance is gone" : "somebody else took it");
            }
            turn.moved(head);
            if (turn.isAlive(parts.clock().millis())) {
                return false;
            }
            if (!turn.isAmbiguous() || isFenced(call, turn, backoff)) {
                throw lost(turn, "it expired");
            }
        }
    }

    /** Marks the turn dead in this process. */
    ProviderException lost(HeldTurn turn, String why) {
        parts.held().bury(turn, why);
        parts.cache().forget(turn.instanceId());
        parts.feeds().released(turn.instanceId());
        return Failures.lockLost(
                TurnPlan.OPERATION, HeldTurns.subject(turn.head().document()), why);
    }

    private Look look(Call call, HeldTurn turn, TurnPlan plan) {
        HistoryDocument first = plan.firstEvent();
        List<String> ids = new ArrayList<>();
        ids.add(DocumentIds.instance(turn.instanceId()));
        ids.add(DocumentIds.stagedCommit(turn.token()));
        if (first == null) {
            turn.contents().messages().forEach(message -> ids.add(message.id()));
        } else {
            ids.add(first.id());
        }
        @Nullable Stored<InstanceDocument> head = null;
        boolean sameEvent = false;
        boolean anyMessage = false;
        @Nullable StagedCommit commit = null;
        for (ObjectNode row : parts.partitions().documents(call, turn.instanceId(), ids)) {
            if (DocumentJson.isType(row, DocumentType.INSTANCE)) {
                head = new Stored<>(InstanceDocument.fromJson(row), DocumentJson.etag(row));
            } else if (DocumentJson.isType(row, DocumentType.HISTORY)) {
                // Its content, not only its id: another holder's turn has the same ids.
                sameEvent = first != null && HistoryDocument.fromJson(row).equals(first);
            } else if (StagedCommit.is(row)) {
                commit = StagedCommit.fromJson(row);
            } else {
                anyMessage |= DocumentJson.isType(row, DocumentType.ORCHESTRATOR_QUEUE);
            }
        }
        return new Look(head, first == null ? !anyMessage : sameEvent, commit);
    }

    /**
     * The lock lapsed with a try perhaps still under way: moves the instance's version, so that the try can't commit after we called it lost.
     *
     * @return false when somebody moved the instance first: look again
     */
    private boolean isFenced(Call call, HeldTurn turn, Backoff backoff) {
        Stored<InstanceDocument> head = turn.head();
        long updatedAt = Math.max(parts.clock().millis(), head.document().updatedAt() + 1);
        InstanceDocument free = turn.free(updatedAt);
        FieldPatch unlock = FieldPatch.set(Fields.LOCK_TOKEN, free.lockToken())
                .and(Fields.LOCKED_UNTIL, free.lockedUntil())
                .and(Fields.UPDATED_AT, updatedAt);
        WriteOutcome outcome = parts.requests()
                .batchPatiently(
                        call,
                        turn.instanceId(),
                        List.of(new BatchWrite.PatchFields(head.document().id(), unlock, head.etag())));
        if (outcome instanceof WriteOutcome.Committed) {
            return true;
        }
        boolean moved = outcome instanceof WriteOutcome.PreconditionFailed || outcome instanceof WriteOutcome.NotFound;
        if (moved || (outcome instanceof WriteOutcome.Ambiguous && backoff.pause(call, null))) {
            return false;
        }
        throw Failures.of(call, outcome);
    }
}
