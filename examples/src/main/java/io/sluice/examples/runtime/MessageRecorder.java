package io.sluice.examples.runtime;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the messages of a turn into history events. A message that says nothing new (a second completion of one step,
 * one of an earlier execution, a second start) is dropped: queues deliver at least once.
 */
final class MessageRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(MessageRecorder.class);

    private final EventLog log;

    MessageRecorder(EventLog log) {
        this.log = log;
    }

    void take(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start) {
            start(start);
        } else if (message instanceof WorkItem.ActivityCompleted done) {
            close(done.executionId(), done.id(), message, new EventKind.ActivityCompleted(done.result()));
        } else if (message instanceof WorkItem.ActivityFailed failed) {
            close(failed.executionId(), failed.id(), message, new EventKind.ActivityFailed(failed.details()));
        } else if (message instanceof WorkItem.TimerFired fired) {
            close(fired.executionId(), fired.id(), message, new EventKind.TimerFired(fired.fireAtMillis()));
        } else if (message instanceof WorkItem.SubOrchCompleted done) {
            close(
                    done.parentExecutionId(),
                    done.parentId(),
                    message,
                    new EventKind.SubOrchestrationCompleted(done.result()));
        } else if (message instanceof WorkItem.SubOrchFailed failed) {
            close(
                    failed.parentExecutionId(),
                    failed.parentId(),
                    message,
                    new EventKind.SubOrchestrationFailed(failed.details()));
        } else if (message instanceof WorkItem.ExternalRaised raised) {
            Optional<HistoryEvent> subscription = EventSubscriptions.of(log).oldestWaiting(raised.name());
            log.append(
                    subscription.map(HistoryEvent::eventId).orElse(null),
                    new EventKind.ExternalEvent(raised.name(), raised.data()));
        } else if (message instanceof WorkItem.CancelInstance cancel) {
            cancel(cancel);
        } else {
            dropped(message, "this runtime has no use for it");
        }
    }

    private void start(WorkItem.StartOrchestration start) {
        if (!log.isEmpty()) {
            dropped(start, "the instance has started already");
            return;
        }
        String version = start.version() == null ? Registry.VERSION : start.version();
        log.append(
                null,
                new EventKind.OrchestrationStarted(
                        start.orchestration(),
                        version,
                        start.input(),
                        start.parentInstance(),
                        start.parentId(),
                        start.parentExecutionId(),
                        null,
                        null));
    }

    private void close(long executionId, long scheduledEventId, WorkItem message, EventKind kind) {
        if (executionId != log.executionId()) {
            dropped(message, "it belongs to another execution");
        } else if (log.byId(scheduledEventId).isEmpty()) {
            dropped(message, "nothing was scheduled under its id");
        } else if (log.closing(scheduledEventId).isPresent()) {
            dropped(message, "its step has ended already");
        } else {
            log.append(scheduledEventId, kind);
        }
    }

    private void cancel(WorkItem.CancelInstance cancel) {
        if (log.first(event -> event.kind() instanceof EventKind.OrchestrationCancelRequested)
                .isPresent()) {
            dropped(cancel, "the instance is being cancelled already");
        } else {
            log.append(null, new EventKind.OrchestrationCancelRequested(cancel.reason()));
        }
    }

    private void dropped(WorkItem message, String why) {
        LOG.atInfo()
                .addKeyValue("instance", log.instance())
                .addKeyValue("message", message.getClass().getSimpleName())
                .addKeyValue("why", why)
                .log("message dropped");
    }
}
