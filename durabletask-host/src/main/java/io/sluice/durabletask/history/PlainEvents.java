package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import java.time.Instant;
import java.util.Optional;

/**
 * Events that were not written by a host: those made of commands from Kafka, and what the provider tells a parent whose
 * child could not be started.
 */
final class PlainEvents {
    private PlainEvents() {}

    /**
     * The event of DurableTask that says the same; empty where there is none.
     *
     * @param action the action that it completes, if it completes one
     */
    static Optional<Protocol.HistoryEvent> of(EventKind kind, int action, Instant time) {
        var event = Protocol.HistoryEvent.newBuilder()
                .setEventId(EventDecoder.NO_ID)
                .setTimestamp(Wire.timestamp(time));
        if (kind instanceof EventKind.OrchestrationStarted started) {
            event.getExecutionStartedBuilder().setName(started.name()).setInput(Wire.text(started.input()));
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
            event.getEventRaisedBuilder().setName(raised.name()).setInput(Wire.text(raised.data()));
        } else if (kind instanceof EventKind.OrchestrationCancelRequested cancel) {
            event.getExecutionTerminatedBuilder().setInput(Wire.text(cancel.reason()));
        } else {
            return Optional.empty();
        }
        return Optional.of(event.build());
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
