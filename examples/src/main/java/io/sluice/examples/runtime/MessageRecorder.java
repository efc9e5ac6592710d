package io.sluice.examples.runtime;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the messages of a turn into history events. A message that says nothing new (a second completion of one step,
 * one of an earlier execution, a second start) is dropped: queues deliver at least once.
 */
final class MessageRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(MessageRecorder.class);

    private final EventLog log;
    private final TurnEffects effects;

    MessageRecorder(EventLog log, TurnEffects effects) {
        this.log = log;
        this.effects = effects;
    }

    void record(WorkItem message) {
        if (message instanceof WorkItem.ActivityCompleted done) {
            close(done.executionId(), done.id(), message, new EventKind.ActivityCompleted(done.result()));
        } else if (message instanceof WorkItem.ActivityFailed failed) {
            close(failed.executionId(), failed.id(), message, new EventKind.ActivityFailed(failed.details()));
        } else if (message instanceof WorkItem.TimerFired fired) {
            close(fired.executionId(), fired.id(), message, new EventKind.TimerFired(fired.fireAtMillis()));
        } else if (message instanceof WorkItem.SubOrchCompleted done) {
            EventKind result = new EventKind.SubOrchestrationCompleted(done.result());
            close(done.parentExecutionId(), done.parentId(), message, result);
        } else if (message instanceof WorkItem.SubOrchFailed failed) {
            EventKind result = new EventKind.SubOrchestrationFailed(failed.details());
            close(failed.parentExecutionId(), failed.parentId(), message, result);
        } else if (message instanceof WorkItem.ExternalRaised raised) {
            log.append(
                    Arrivals.oldestWaiting(log, raised.name()).orElse(null),
                    new EventKind.ExternalEvent(raised.name(), raised.data()));
        } else if (message instanceof WorkItem.QueueMessage queued) {
            log.append(null, new EventKind.ExternalEventPersistent(queued.name(), queued.data()));
        } else if (message instanceof WorkItem.CancelInstance cancel) {
            cancel(cancel);
        } else {
            refuseStart(message);
        }
    }

    /** Drops a second start. A parent that awaits its result gets a failure instead. */
    void refuseStart(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start
                && start.parentInstance() != null
                && start.parentId() != null
                && !isOfOurParent(start.parentInstance(), start.parentId())) {
            effects.orchestratorItems.add(new WorkItem.SubOrchFailed(
                    start.parentInstance(),
                    start.parentExecutionId() == null ? 1 : start.parentExecutionId(),
                    start.parentId(),
                    Failures.alreadyExists(start.instance())));
        }
        drop(message, "the instance does not wait for it");
    }

    private boolean isOfOurParent(String parent, Long parentId) {
        EventKind.OrchestrationStarted ours = log.started();
        return parent.equals(ours.parentInstance()) && parentId.equals(ours.parentId());
    }

    private void close(long executionId, long scheduledEventId, WorkItem message, EventKind kind) {
        if (executionId < log.executionId()) {
            drop(message, "it belongs to an earlier execution");
        } else if (executionId == log.executionId()
                && log.closing(scheduledEventId).isPresent()) {
            drop(message, "its step has ended already");
        } else {
            log.append(scheduledEventId, kind);
        }
    }

    private void cancel(WorkItem.CancelInstance cancel) {
        if (log.first(EventKind.OrchestrationCancelRequested.class).isPresent()) {
            drop(cancel, "the instance is being cancelled already");
        } else {
            log.append(null, new EventKind.OrchestrationCancelRequested(cancel.reason()));
        }
    }

    private void drop(WorkItem message, String why) {
        LOG.atInfo()
                .addKeyValue("instance", log.instance())
                .addKeyValue("message", message.getClass().getSimpleName())
                .addKeyValue("why", why)
                .log("message dropped");
    }
}
