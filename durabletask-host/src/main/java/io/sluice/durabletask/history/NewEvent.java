package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.provider.work.WorkItem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that a turn's messages have brought.
 *
 * @param event as the worker gets it, with a time
 * @param sourceEventId the event that scheduled what it completes; null where it completes none
 * @param message brings the event again when the worker does not take it in this turn
 */
public record NewEvent(
        Protocol.HistoryEvent event, @Nullable Long sourceEventId, WorkItem message) {
    public NewEvent {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(message, "message");
    }

    /** As it is stored. */
    public EncodedEvent encoded() {
        EncodedEvent encoded = EventEncoder.encode(event);
        if (message instanceof WorkItem.StartOrchestration start) {
            return encoded.startedBy(ParentLink.of(start), null);
        }
        return message instanceof WorkItem.ContinueAsNew next
                ? encoded.startedBy(ParentLink.of(next), next.initialCustomStatus())
                : encoded;
    }
}
