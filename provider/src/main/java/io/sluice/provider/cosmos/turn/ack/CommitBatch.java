package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.cosmos.staged.StagedTurn;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.StagedCommit;
import io.sluice.provider.document.StagedTry;
import io.sluice.provider.document.Stored;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The one batch that commits a staged turn. The instance has all its new fields, but stays locked until the parts are
 * applied. The try's document goes: a turn whose parts somebody removed can't be committed. Pure.
 *
 * @param after the instance, locked far into the future
 */
record CommitBatch(List<BatchWrite> writes, InstanceDocument after, StagedCommit commit) {
    /** Place of the try's document in the batch. */
    static final int TRY_DOCUMENT = 1;
    /** Place of the commit document in the batch. */
    static final int COMMIT_DOCUMENT = 2;

    /**
     * Name of the message that keeps an unfinished turn in sight. It never reaches a turn: the batch that unlocks the
     * instance deletes it.
     */
    private static final String WAKE_UP = "sluice:unfinished-turn";

    static CommitBatch of(TurnPlan plan, StagedTurn staged, PendingAck pending, TimeOrderedIds ids, long nowMillis) {
        Stored<InstanceDocument> head = pending.turn().head();
        String instanceId = plan.after().instanceId();
        String token = Objects.requireNonNull(head.document().lockToken(), "a held instance bears a token");
        long updatedAt = Math.max(plan.after().updatedAt(), head.document().updatedAt() + 1);
        InstanceDocument after = plan.after().locked(token, InstanceDocument.LOCKED_FAR, updatedAt);
        QueueDocument wakeUp = QueueDocuments.message(
                TurnPlan.OPERATION,
                ids.next(nowMillis),
                new WorkItem.ExternalRaised(instanceId, WAKE_UP, ""),
                nowMillis,
                nowMillis);
        StagedCommit commit = new StagedCommit(
                instanceId, token, staged.tryId(), staged.parts().size(), 1, wakeUp.id(), updatedAt);
        StagedTry ours =
                new StagedTry(instanceId, staged.tryId(), token, staged.parts().size());
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.Replace(after.toJson(), head.etag()));
        writes.add(new BatchWrite.Delete(ours.id(), null));
        writes.add(new BatchWrite.Create(commit.toJson()));
        writes.add(new BatchWrite.Create(wakeUp.toJson()));
        staged.withCommit().stream()
                .filter(write -> !pending.missing().contains(write.id()))
                .forEach(writes::add);
        return new CommitBatch(List.copyOf(writes), after, commit);
    }
}
