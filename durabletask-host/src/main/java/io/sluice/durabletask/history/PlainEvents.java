package io.sluice.durabletask.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.google.protobuf.StringValue;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * Events that were not written by a host: those made of commands from Kafka, and what the provider tells a parent whose
 * child could not be started.
 */
final class PlainEvents {
    /** How deep or long a payload is, is its SDK's matter. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private PlainEvents() {}

    /**
     * The event of DurableTask that says the same; empty where there is none.
     *
     * @param action the action that it completes, if it completes one
     */
    static Optional<Protocol.HistoryEvent> of(EventKind kind, int action, Instant time) {
        var event = Wire.outsideEvent(time);
        if (kind instanceof EventKind.OrchestrationStarted started) {
            event.getExecutionStartedBuilder().setName(started.name());
            json(started.input()).ifPresent(event.getExecutionStartedBuilder()::setInput);
            if (!started.version().isEmpty()) {
                event.getExecutionStartedBuilder().setVersion(Wire.text(started.version()));
            }
        } else if (kind instanceof EventKind.ActivityCompleted completed) {
            event.getTaskCompletedBuilder().setTaskScheduledId(action).setResult(Wire.text(completed.result()));
        } else if (kind instanceof EventKind.ActivityFailed failed) {
            event.getTaskFailedBuilder().setTaskScheduledId(action).setFailureDetails(failure(failed.details()));
        } else if (kind instanceof EventKind.SubOrchestrationCompleted completed) {
            event.getSubOrchestrationInstanceCompletedBuilder()
                    .setTaskScheduledId(action)
                    .setResult(Wire.text(completed.result()));
        } else if (kind instanceof EventKind.SubOrchestrationFailed failed) {
            event.getSubOrchestrationInstanceFailedBuilder()
                    .setTaskScheduledId(action)
                    .setFailureDetails(failure(failed.details()));
        } else if (kind instanceof EventKind.TimerFired fired) {
            event.getTimerFiredBuilder()
                    .setTimerId(action)
                    .setFireAt(Wire.timestamp(Instant.ofEpochMilli(fired.fireAtMillis())));
        } else if (kind instanceof EventKind.ExternalEvent raised) {
            event.getEventRaisedBuilder().setName(raised.name());
            json(raised.data()).ifPresent(event.getEventRaisedBuilder()::setInput);
        } else if (kind instanceof EventKind.OrchestrationCancelRequested cancel) {
            event.getExecutionTerminatedBuilder();
            json(cancel.reason()).ifPresent(event.getExecutionTerminatedBuilder()::setInput);
        } else {
            return Optional.empty();
        }
        return Optional.of(event.build());
    }

    /** SDKs read their payloads as JSON: a text that is none becomes a string of it, an empty one no payload. */
    private static Optional<StringValue> json(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Wire.text(isJson(text) ? text : quoted(text)));
    }

    private static boolean isJson(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    private static String quoted(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    private static Protocol.TaskFailureDetails failure(ErrorDetails details) {
        boolean retryable = details instanceof ErrorDetails.Infrastructure infrastructure
                ? infrastructure.retryable()
                : details instanceof ErrorDetails.Application application && application.retryable();
        return Protocol.TaskFailureDetails.newBuilder()
                .setErrorType(details.getClass().getSimpleName())
                .setErrorMessage(details.text())
                .setIsNonRetriable(!retryable)
                .build();
    }
}
