package io.sluice.examples.runtime;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.ErrorDetails.Application;
import io.sluice.provider.history.ErrorDetails.ApplicationKind;
import io.sluice.provider.history.ErrorDetails.PoisonedMessage;
import io.sluice.provider.work.WorkItem;

/** Error values for everything that can go wrong in code. */
final class Failures {
    private Failures() {}

    /** How an exception that left orchestration code ends its instance. */
    static ErrorDetails of(RuntimeException thrown) {
        if (thrown instanceof StepFailedException step) {
            return step.details();
        } else if (thrown instanceof OrchestrationCancelledException cancelled) {
            return new Application(new ApplicationKind.Cancelled(cancelled.reason()), "canceled", false);
        } else if (thrown instanceof OrchestrationFailedException) {
            return new Application(ApplicationKind.Plain.ORCHESTRATION_FAILED, text(thrown), false);
        } else if (thrown instanceof NondeterminismException mismatch) {
            return new ErrorDetails.Configuration(
                    ErrorDetails.ConfigurationKind.NONDETERMINISM, mismatch.resource(), text(mismatch));
        }
        return new Application(ApplicationKind.Plain.PANICKED, thrown.toString(), false);
    }

    /** How an exception that left an activity fails its step. */
    static ErrorDetails ofActivity(Exception thrown) {
        return thrown instanceof ActivityFailedException failed
                ? new Application(ApplicationKind.Plain.ACTIVITY_FAILED, text(failed), failed.retryable())
                : new Application(ApplicationKind.Plain.PANICKED, thrown.toString(), false);
    }

    static ErrorDetails alreadyExists(String instance) {
        return new Application(
                ApplicationKind.Plain.ORCHESTRATION_FAILED, "instance '" + instance + "' already exists", false);
    }

    static ErrorDetails unregisteredActivity(String name) {
        return new ErrorDetails.Infrastructure(
                "executeActivity", "no activity named " + name + "; register it with this runtime", false);
    }

    /** The ack was refused permanently: the turn's work can't be recorded. */
    static ErrorDetails unacknowledged(RuntimeException refusal) {
        return new ErrorDetails.Infrastructure("ackOrchestrationItem", text(refusal), false);
    }

    static ErrorDetails poisonedTurn(LockedTurn turn, int maxAttempts) {
        OrchestrationItem item = turn.item();
        return new ErrorDetails.Poison(
                turn.attemptCount(),
                maxAttempts,
                new PoisonedMessage.Orchestration(item.instance(), item.executionId()),
                item.messages().size() + " messages");
    }

    static ErrorDetails poisonedActivity(WorkItem.ActivityExecute activity, int attempts, int maxAttempts) {
        return new ErrorDetails.Poison(
                attempts,
                maxAttempts,
                new PoisonedMessage.Activity(
                        activity.instance(), activity.executionId(), activity.name(), activity.id()),
                "activity " + activity.name());
    }

    static ErrorDetails unreadableHistory(LockedTurn turn, int maxAttempts, String error) {
        OrchestrationItem item = turn.item();
        return new ErrorDetails.Poison(
                turn.attemptCount(),
                maxAttempts,
                new PoisonedMessage.FailedDeserialization(item.instance(), item.executionId(), error),
                "the history can't be read");
    }

    static boolean retryable(ErrorDetails details) {
        if (details instanceof ErrorDetails.Infrastructure infrastructure) {
            return infrastructure.retryable();
        }
        return details instanceof Application application && application.retryable();
    }

    private static String text(Exception thrown) {
        String message = thrown.getMessage();
        return message == null ? thrown.getClass().getSimpleName() : message;
    }
}
