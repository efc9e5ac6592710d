package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.PartitionState;
import io.sluice.provider.cosmos.turn.work.TurnCandidate;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.StagedTry;
import io.sluice.provider.document.Stored;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of an instance before it is locked.
 *
 * @param head null when it is not stored yet
 * @param content how much of the messages is known
 * @param cached what this process knows of this version; null when it knows nothing
 * @param headFault why the head can't be read; null where it can
 * @param abandonedTries of earlier holders; their parts will never be committed
 */
record KnownInstance(
        @Nullable Stored<InstanceDocument> head,
        List<QueueDocument> messages,
        TurnCandidate.Content content,
        KeyValues keyValues,
        InstanceCache.@Nullable Entry cached,
        List<Intent> openIntents,
        @Nullable String headFault,
        List<Stored<StagedTry>> abandonedTries) {
    /** From what this process remembers. */
    static KnownInstance of(InstanceCache.Entry entry, List<QueueDocument> messages, TurnCandidate.Content content) {
        return new KnownInstance(
                entry.head(), messages, content, entry.keyValues(), entry, entry.openIntents(), null, List.of());
    }

    /** One that is not stored yet. */
    static KnownInstance fresh(List<QueueDocument> messages, TurnCandidate.Content content) {
        return new KnownInstance(null, messages, content, KeyValues.NONE, null, List.of(), null, List.of());
    }

    /** From a read of its partition. */
    static KnownInstance of(PartitionState state, InstanceCache.@Nullable Entry cached) {
        return new KnownInstance(
                state.instance(),
                state.messageDocuments(),
                TurnCandidate.Content.WHOLE,
                state.keyValues(),
                cached,
                state.openIntents(),
                state.fault(),
                state.unfinished().tries());
    }

    /** The same with the messages that were tagged, and are whole now. */
    KnownInstance of(List<QueueDocument> tagged) {
        return new KnownInstance(
                head, tagged, TurnCandidate.Content.WHOLE, keyValues, cached, openIntents, headFault, abandonedTries);
    }

    /** Why no turn of it can be run; null where one can. */
    @Nullable
    String fault() {
        return headFault == null ? keyValues.fault() : headFault;
    }

    List<WorkItem> items() {
        return content.isCut() ? List.of() : Messages.decode(messages);
    }

    /** The execution whose history a turn has. */
    long execution() {
        return head == null ? 1 : head.document().currentExecutionId();
    }

    /** Whether it only now starts. */
    boolean isStarting() {
        return (head == null || head.document().isUntouched())
                && messages.stream().anyMatch(Messages::isStart);
    }

    /** Whether it is known to have been acked. */
    boolean isSurelyAcked() {
        return head != null && head.document().isSurelyAcked();
    }
}
