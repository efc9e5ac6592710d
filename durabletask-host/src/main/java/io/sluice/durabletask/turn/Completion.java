package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.ExecutionFacts;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.ParentLink;
import io.sluice.durabletask.wire.Failures;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.CompleteOrchestrationAction;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How an execution ends, as far as the store has room for it. An output that has none with the instance is stored in
 * the event alone. What has none there makes a failure that names it, with the size and the limit: the code has nothing
 * left to do that could go otherwise the next time, and the instance would stay as running for ever. A failure that has
 * none is cut; a termination stays one, without its output.
 *
 * @param action as asked for, or smaller
 * @param event that records it
 * @param output as it is stored with the instance: a failure's message; null where there is none, or it has no room
 * @param messages to the parent, and to children that end along with it
 */
record Completion(
        OrchestratorAction action,
        Protocol.HistoryEvent event,
        @Nullable String output,
        List<WorkItem> messages) {
    Completion {
        messages = List.copyOf(messages);
    }

    /** The same; the output is only in the event, from which clients get it then. */
    Completion withoutOutput() {
        return new Completion(action, event, null, messages);
    }

    boolean isOutputInEventAlone() {
        return output == null && action.getCompleteOrchestration().hasResult();
    }

    OrchestrationStatus status() {
        return action.getCompleteOrchestration().getOrchestrationStatus();
    }

    @Nullable
    TaskFailureDetails failure() {
        CompleteOrchestrationAction complete = action.getCompleteOrchestration();
        return complete.hasFailureDetails() ? complete.getFailureDetails() : null;
    }

    /** Makes the completion of one turn. */
    static final class Maker {
        private final OpenTurn turn;
        private final ExecutionFacts facts;
        private final TurnLimits.Head head;
        private final TurnDelta delta;

        /** Of an execution with these facts, stored with this head. */
        Maker(OpenTurn turn, ExecutionFacts facts, TurnLimits.Head head, TurnDelta delta) {
            this.turn = turn;
            this.facts = facts;
            this.head = head;
            this.delta = delta;
        }

        /**
         * What the action asks for, or what the store has room for instead.
         *
         * @param children to be terminated
         * @throws RefusedResponseException when there is no room for anything next to the first event of the turn
         */
        Completion of(OrchestratorAction asked, List<String> children) {
            Completion completion = completion(asked, children);
            Optional<String> fault = fault(completion);
            if (fault.isEmpty()) {
                return completion;
            }
            if (completion.status() != OrchestrationStatus.ORCHESTRATION_STATUS_FAILED
                    && fault(completion.withoutOutput()).isEmpty()) {
                return completion.withoutOutput();
            }
            String reason = TurnLimits.named(asked, fault.get());
            return smaller(asked, reason)
                    .map(action -> completion(action, children))
                    .filter(candidate -> fault(candidate).isEmpty())
                    .findFirst()
                    .orElseThrow(() -> RefusedResponseException.tooLarge(reason));
        }

        private static Stream<OrchestratorAction> smaller(OrchestratorAction asked, String reason) {
            CompleteOrchestrationAction complete = asked.getCompleteOrchestration();
            OrchestrationStatus status = complete.getOrchestrationStatus();
            boolean cutsFailure =
                    complete.hasFailureDetails() && status == OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
            Stream<TaskFailureDetails> failures = cutsFailure
                    ? Failures.shortened(complete.getFailureDetails())
                    : Stream.of(Failures.tooLarge(reason));
            return failures.map(failure -> {
                OrchestratorAction.Builder action =
                        OrchestratorAction.newBuilder().setId(asked.getId());
                action.getCompleteOrchestrationBuilder()
                        .setOrchestrationStatus(
                                status == OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED
                                        ? OrchestrationStatus.ORCHESTRATION_STATUS_FAILED
                                        : status)
                        .setFailureDetails(failure);
                return action.build();
            });
        }

        private Completion completion(OrchestratorAction action, List<String> children) {
            CompleteOrchestrationAction complete = action.getCompleteOrchestration();
            List<WorkItem> messages = new ArrayList<>();
            ParentLink parent = facts.parent();
            if (parent != null) {
                messages.add(MessageEncoder.childEnded(parent, facts.parentGuid(), answer(complete)));
            }
            children.forEach(
                    child -> messages.add(MessageEncoder.termination(child, result(complete), true, delta.now())));
            String output = complete.getOrchestrationStatus() == OrchestrationStatus.ORCHESTRATION_STATUS_FAILED
                    ? complete.getFailureDetails().getErrorMessage()
                    : result(complete);
            return new Completion(action, event(delta, action), output, messages);
        }

        private Optional<String> fault(Completion completion) {
            HistoryEvent event = delta.preview(completion.event());
            return TurnLimits.commitFault(
                            head.withOutput(completion.output()), Objects.requireNonNullElse(delta.firstEvent(), event))
                    .or(() -> TurnLimits.eventFault(event))
                    .or(() -> TurnLimits.isSurelySmall(completion.action())
                            ? Optional.empty()
                            : completion.messages().stream()
                                    .flatMap(message -> delta.fault(message).stream())
                                    .findFirst());
        }

        private Protocol.HistoryEvent answer(CompleteOrchestrationAction complete) {
            int awaited = facts.started() == null
                    ? 0
                    : facts.started().getParentInstance().getTaskScheduledId();
            Protocol.HistoryEvent.Builder event = delta.outsideEvent();
            if (complete.getOrchestrationStatus() == OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED) {
                event.getSubOrchestrationInstanceCompletedBuilder().setTaskScheduledId(awaited);
                if (complete.hasResult()) {
                    event.getSubOrchestrationInstanceCompletedBuilder().setResult(complete.getResult());
                }
            } else {
                event.getSubOrchestrationInstanceFailedBuilder()
                        .setTaskScheduledId(awaited)
                        .setFailureDetails(
                                complete.hasFailureDetails() ? complete.getFailureDetails() : notFailed(complete));
            }
            return event.build();
        }

        /** For a parent, a child that was terminated has failed. */
        private TaskFailureDetails notFailed(CompleteOrchestrationAction complete) {
            String status = complete.getOrchestrationStatus() == OrchestrationStatus.ORCHESTRATION_STATUS_FAILED
                    ? "failed"
                    : "was terminated";
            String reason = result(complete);
            return TaskFailureDetails.newBuilder()
                    .setErrorType("SubOrchestrationEnded")
                    .setErrorMessage("sub-orchestration '" + turn.instance() + "' " + status
                            + (reason == null ? "" : ": " + reason))
                    .build();
        }
    }

    /** The event that records the end of an execution. */
    static Protocol.HistoryEvent event(TurnDelta delta, OrchestratorAction action) {
        CompleteOrchestrationAction complete = action.getCompleteOrchestration();
        Protocol.HistoryEvent.Builder event = delta.event(action.getId());
        var completed = event.getExecutionCompletedBuilder().setOrchestrationStatus(complete.getOrchestrationStatus());
        if (complete.hasResult()) {
            completed.setResult(complete.getResult());
        }
        if (complete.hasFailureDetails()) {
            completed.setFailureDetails(complete.getFailureDetails());
        }
        return event.build();
    }

    /** What the action leaves: an output, or the next input. */
    static @Nullable String result(CompleteOrchestrationAction complete) {
        return Wire.orNull(complete.hasResult(), complete.getResult());
    }
}
