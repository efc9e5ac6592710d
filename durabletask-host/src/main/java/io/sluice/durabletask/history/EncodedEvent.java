package io.sluice.durabletask.history;

import com.google.protobuf.ByteString;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event of DurableTask as the provider keeps it, before it has a place in a history or a message.
 *
 * @param kind the provider's event
 * @param fields what that has no home for
 */
public record EncodedEvent(EventKind kind, DtFields fields) {
    public EncodedEvent {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(fields, "fields");
    }

    /** An event that DurableTask has none for; a worker does not get it. */
    public static EncodedEvent foreign(EventKind kind) {
        return new EncodedEvent(kind, DtFields.of(Wire.NO_ID, List.of(), ByteString.EMPTY));
    }

    /** The same, on the first event of a turn that began then. */
    public EncodedEvent startingTurn(Instant time) {
        return new EncodedEvent(kind, fields.startingTurn(time));
    }

    /** The same start of an execution, with who awaits it and the custom status of the execution before. */
    public EncodedEvent startedBy(@Nullable ParentLink parent, @Nullable String initialCustomStatus) {
        if (!(kind instanceof EventKind.OrchestrationStarted started)) {
            throw new IllegalArgumentException("only a start has a parent, was " + kind.type());
        }
        return new EncodedEvent(
                new EventKind.OrchestrationStarted(
                        started.name(),
                        started.version(),
                        started.input(),
                        parent == null ? null : parent.instance(),
                        parent == null ? null : parent.eventId(),
                        parent == null ? null : parent.executionId(),
                        null,
                        initialCustomStatus),
                fields);
    }

    /** The same, with events for the next execution. */
    EncodedEvent carrying(List<ByteString> events) {
        return new EncodedEvent(kind, fields.carrying(events));
    }

    /** The same, of what this execution has scheduled. */
    EncodedEvent scheduledBy(String executionGuid, @Nullable String version) {
        return new EncodedEvent(kind, fields.scheduledBy(executionGuid, version));
    }

    /** The event in a history. */
    public HistoryEvent at(EventPlace place) {
        return new HistoryEvent(
                place.eventId(),
                place.sourceEventId(),
                place.instance(),
                place.executionId(),
                place.timestampMillis(),
                DtFields.FORMAT.toString(),
                kind,
                fields.toExtras());
    }
}
