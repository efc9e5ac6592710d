package io.sluice.relay.ledger.load;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.Optional;

/**
 * Names one intent of the run for ever: it stands in the source's history, in the message, and in the target's history.
 *
 * @param source the instance that sends
 * @param number id of the event in the source's history that says so; grows
 * @param target the instance that is to receive it
 */
public record Tag(String source, long number, String target) {
    private static final String SENT = "send";
    private static final String SEPARATOR = "|";

    /** Reads what {@link #toString} wrote. */
    public static Tag parse(String text) {
        var parts = text.split("\\|", -1);
        return new Tag(parts[0], Long.parseLong(parts[1]), parts[2]);
    }

    @Override
    public String toString() {
        return source + SEPARATOR + number + SEPARATOR + target;
    }

    /** What the source's history says. */
    public EventKind sent() {
        return new EventKind.ActivityScheduled(SENT, toString(), null, null);
    }

    /** The intent that this event says was sent. */
    public static Optional<Tag> sentBy(HistoryEvent event) {
        return event.kind() instanceof EventKind.ActivityScheduled scheduled
                        && scheduled.name().equals(SENT)
                ? Optional.of(parse(scheduled.input()))
                : Optional.empty();
    }

    /** The intent that this event says was received. */
    public static Optional<Tag> receivedBy(HistoryEvent event) {
        return Optional.of(text(event.kind()))
                .filter(text -> text.contains(SEPARATOR))
                .map(Tag::parse);
    }

    private static String text(EventKind kind) {
        if (kind instanceof EventKind.ExternalEvent external) {
            return external.data();
        } else if (kind instanceof EventKind.ExternalEventPersistent message) {
            return message.data();
        } else if (kind instanceof EventKind.OrchestrationCancelRequested cancel) {
            return cancel.reason();
        } else if (kind instanceof EventKind.OrchestrationStarted started) {
            return started.input();
        } else if (kind instanceof EventKind.SubOrchestrationCompleted completed) {
            return completed.result();
        } else if (kind instanceof EventKind.SubOrchestrationFailed failed) {
            return failed.details().text();
        } else if (kind instanceof EventKind.ActivityCompleted completed) {
            return completed.result();
        }
        return "";
    }

    /** Activities run beside each other; messages have an order. */
    public static boolean isOrdered(HistoryEvent event) {
        return !(event.kind() instanceof EventKind.ActivityCompleted);
    }
}
