package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.turn.Answers.terminating;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Payloads that the store has no room for, and that the code or a client can be told of. */
class LargeAnswersTest {
    private static final String TOO_LARGE = "x".repeat(TurnLimits.MAX_EVENT_BYTES + 1);

    @Nested
    class Tasks {
        @Test
        void an_input_that_has_no_room_fails_the_task() {
            Scenario scenario = Scenario.fresh();

            String committed = scenario.commit(answer(task(0, "ship", TOO_LARGE)), start());
            scenario.commit(answer(), scenario.ownMessages());

            assertThat(committed)
                    .contains("event 2 ActivityScheduled[name=ship, input=, tag=ship]")
                    .contains("message=action 0, scheduleTask.input: as stored, with escapes, it takes 1500")
                    .contains("bytes, the limit is 1500000; carry less, or store the payload elsewhere")
                    .doesNotContain("work ");
            assertThat(scenario.past()).endsWith("TASKFAILED");
            var failure = EventDecoder.pastEvents(scenario.history()).get(4).getTaskFailed();
            assertThat(failure.getTaskScheduledId()).isZero();
            assertThat(failure.getFailureDetails().getErrorType()).isEqualTo("PayloadTooLarge");
            assertThat(failure.getFailureDetails().getIsNonRetriable()).isTrue();
        }

        @Test
        void an_input_just_within_the_limit_is_taken() {
            String input = "x".repeat(TurnLimits.MAX_EVENT_BYTES - 1_000);

            assertThat(Scenario.fresh().commit(answer(task(0, "ship", input)), start()))
                    .contains("work ActivityExecute");
        }
    }

    @Nested
    class Children {
        @Test
        void an_input_that_has_no_room_fails_the_child() {
            String committed = Scenario.fresh().commit(answer(withInput(TOO_LARGE)), start());

            assertThat(committed)
                    .contains("event 2 SubOrchestrationScheduled[name=Ship, instance=ship-7, input=]")
                    .contains("send SubOrchFailed[parentInstance=order-7, parentExecutionId=1, parentId=2, ")
                    .contains("message=action 0, createSubOrchestration.input: as stored, ")
                    .doesNotContain("StartOrchestration");
        }

        @Test
        void an_input_that_has_no_room_on_its_way_fails_the_child_and_is_recorded() {
            String quotes = "\"".repeat(230_000);

            String committed = Scenario.fresh().commit(answer(withInput(quotes)), start());

            assertThat(committed)
                    .contains("instance=ship-7, input=\"\"\"")
                    .contains("createSubOrchestration.input: on its way to another instance, as stored, with escapes,"
                            + " it takes 184");
        }

        @Test
        void a_name_that_is_too_long_fails_the_child() {
            String committed = Scenario.fresh().commit(answer(child(0, "ship-7", "N".repeat(1_001))), start());

            assertThat(committed)
                    .contains("message=action 0: name and version of an orchestration have at most 1000 bytes each,"
                            + " this one has 1001");
        }

        private static OrchestratorAction withInput(String input) {
            var action = child(0, "ship-7", "Ship").toBuilder();
            action.getCreateSubOrchestrationBuilder().setInput(Wire.text(input));
            return action.build();
        }
    }

    @Nested
    class AnswerOnce {
        @Test
        void an_output_that_has_no_room_makes_a_failure() {
            TurnOutcome outcome = Scenario.fresh().outcome(answer(completed(7, TOO_LARGE)), start());

            assertThat(outcome.metadata().status()).isEqualTo("Failed");
            assertThat(outcome.metadata().output())
                    .startsWith("action 7, completeOrchestration.result: ")
                    .contains(" takes 1500")
                    .contains("the limit is 1500000; carry less");
            assertThat(outcome.state().status()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_FAILED);
            TaskFailureDetails failure = Objects.requireNonNull(outcome.state().failure());
            assertThat(failure.getErrorType()).isEqualTo("PayloadTooLarge");
            assertThat(failure.getIsNonRetriable()).isTrue();
            assertThat(Scenario.text(outcome)).contains("event 2 OrchestrationFailed[");
        }

        @Test
        void an_output_without_room_beside_the_first_event_of_the_turn_is_in_its_event_alone() {
            String half = "x".repeat(900_000);

            TurnOutcome outcome = Scenario.fresh()
                    .outcome(
                            answer(completed(0, half)),
                            MessageEncoder.start("order-7", Answers.starting("Order", half), null));

            assertThat(outcome.metadata().status()).isEqualTo("Completed");
            assertThat(outcome.metadata().output()).isNull();
            assertThat(outcome.historyDelta().get(1).kind()).isEqualTo(new EventKind.OrchestrationCompleted(half));
        }

        @Test
        void quotes_count_as_often_as_they_are_escaped() {
            int quotes = TurnLimits.MAX_EVENT_BYTES / 4;

            assertThat(Scenario.fresh()
                            .outcome(answer(completed(0, "\"".repeat(quotes))), start())
                            .metadata()
                            .status())
                    .isEqualTo("Failed");
            assertThat(Scenario.fresh()
                            .outcome(answer(completed(0, "x".repeat(quotes))), start())
                            .metadata()
                            .status())
                    .isEqualTo("Completed");
        }

        @Test
        void an_answer_that_has_no_room_on_its_way_to_the_parent_makes_a_failure_for_both() {
            TurnOutcome outcome = Scenario.startedByParent(answer())
                    .outcome(answer(completed(0, "\"".repeat(230_000))), external(terminating("", false)));

            assertThat(outcome.metadata().output()).contains("on its way to another instance, ");
            assertThat(outcome.orchestratorItems())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WorkItem.SubOrchFailed.class,
                            answer -> assertThat(answer.details())
                                    .extracting(ErrorDetails::text)
                                    .isEqualTo(outcome.metadata().output()));
        }

        @Test
        void a_failure_that_has_no_room_loses_its_stack_trace_first() {
            var action = failed(0, "Boom", "it went boom").toBuilder();
            action.getCompleteOrchestrationBuilder()
                    .getFailureDetailsBuilder()
                    .setStackTrace(Wire.text(TOO_LARGE))
                    .getInnerFailureBuilder()
                    .setErrorType("Cause");

            TurnOutcome outcome = Scenario.fresh().outcome(answer(action.build()), start());

            assertThat(outcome.metadata().output()).isEqualTo("it went boom");
            TaskFailureDetails failure = Objects.requireNonNull(outcome.state().failure());
            assertThat(failure.getStackTrace().getValue())
                    .startsWith("xxx")
                    .endsWith("x… (cut: had 1500001 characters)")
                    .hasSizeLessThan(5_000);
            assertThat(failure.getInnerFailure().getErrorType()).isEqualTo("Cause");
        }

        @Test
        void a_message_of_a_failure_that_has_no_room_loses_its_end() {
            TurnOutcome outcome = Scenario.fresh().outcome(answer(failed(0, "Boom", TOO_LARGE)), start());

            assertThat(outcome.metadata().output()).startsWith("xxx").endsWith("(cut: had 1500001 characters)");
            assertThat(Objects.requireNonNull(outcome.state().failure()).getErrorType())
                    .isEqualTo("Boom");
        }

        @Test
        void a_termination_stays_one_and_loses_its_reason() {
            Scenario scenario = Scenario.started(answer(child(0, "ship-7", "Ship")));
            String quotes = "\"".repeat(230_000);

            TurnOutcome outcome =
                    scenario.outcome(answer(terminated(1, quotes)), scenario.external(terminating(quotes, true)));

            assertThat(outcome.state().status()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
            assertThat(outcome.metadata().output()).isNull();
            assertThat(Objects.requireNonNull(outcome.state().failure()).getErrorMessage())
                    .contains("completeOrchestration.result: on its way to another instance, ");
            assertThat(outcome.orchestratorItems())
                    .as("the child ends all the same")
                    .singleElement()
                    .isInstanceOf(WorkItem.CancelInstance.class);
        }

        @Test
        void the_next_input_is_not_kept_with_the_instance_when_it_has_no_room_there() {
            String input = "x".repeat(1_000_000);
            Scenario scenario = Scenario.fresh();

            TurnOutcome outcome = scenario.outcome(
                    answer(continued(0, input)),
                    MessageEncoder.start("order-7", Answers.starting("Order", input), null));

            assertThat(outcome.metadata().status()).isEqualTo("ContinuedAsNew");
            assertThat(outcome.metadata().output()).isNull();
            assertThat(outcome.orchestratorItems())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WorkItem.ContinueAsNew.class,
                            next -> assertThat(next.input()).isEqualTo(input));
        }
    }

    private static WorkItem start() {
        return MessageEncoder.start("order-7", Answers.starting("Order", "1"), null);
    }

    private static WorkItem external(Protocol.HistoryEvent event) {
        return MessageEncoder.external("child", event);
    }
}
