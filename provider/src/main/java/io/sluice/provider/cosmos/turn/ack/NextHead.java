package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.TurnAck;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The instance document as an ack leaves it: unlocked, with the fields of the execution that is then current. Pure. */
final class NextHead {
    private NextHead() {}

    /** After an ack that may be the first one: only that one says whose child the instance is. */
    static InstanceDocument of(InstanceDocument before, boolean acked, TurnAck ack, long updatedAt) {
        ExecutionMetadata metadata = ack.metadata();
        boolean starts = ack.executionId() > before.currentExecutionId();
        boolean isCurrent = ack.executionId() >= before.currentExecutionId();
        String status = starts ? InstanceDocument.RUNNING : before.status();
        @Nullable String output = starts ? null : before.output();
        @Nullable Long pinned = starts ? null : before.pinnedVersionPacked();
        if (isCurrent && metadata.status() != null) {
            status = metadata.status();
            output = metadata.output();
        }
        if (isCurrent && metadata.pinnedDuroxideVersion() != null) {
            pinned = metadata.pinnedDuroxideVersion().packed();
        }
        // Without a name it would look as if it had never been acked.
        @Nullable String name = metadata.orchestrationName();
        @Nullable String parent = before.parentInstanceId();
        if (parent == null && !acked && !before.isSurelyAcked()) {
            parent = metadata.parentInstanceId();
        }
        CustomStatusChange custom = CustomStatusChange.of(before, ack.historyDelta());
        return new InstanceDocument(
                before.instanceId(),
                name == null || name.isEmpty() ? before.orchestrationName() : name,
                Objects.requireNonNullElse(metadata.orchestrationVersion(), before.orchestrationVersion()),
                Math.max(before.currentExecutionId(), ack.executionId()),
                status,
                output,
                parent,
                pinned,
                custom.status(),
                custom.version(),
                null,
                null,
                before.createdAt(),
                updatedAt,
                isCurrent && metadata.ext() != null ? metadata.ext() : before.ext(),
                before.unknown());
    }

    /** The last word on the custom status; the version grows by one per turn that touches it. */
    private record CustomStatusChange(@Nullable String status, long version) {
        static CustomStatusChange of(InstanceDocument before, List<HistoryEvent> events) {
            for (int i = events.size() - 1; i >= 0; i--) {
                if (events.get(i).kind() instanceof EventKind.CustomStatusUpdated updated) {
                    return new CustomStatusChange(updated.status(), before.customStatusVersion() + 1);
                }
            }
            return new CustomStatusChange(before.customStatus(), before.customStatusVersion());
        }
    }
}
