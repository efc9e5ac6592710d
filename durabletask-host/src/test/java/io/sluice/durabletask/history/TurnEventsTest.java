package io.sluice.durabletask.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.StringValue;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which messages of a turn are told to a worker, and what becomes of the others. */
class TurnEventsTest {
    private static final Instant TURN_START = Instant.parse("2026-06-15T08:00:00.5Z");
    private static final long EXECUTION = 4;
    private static final ParentLink PARENT = new ParentLink("parent", 2, 11);

    private final List<HistoryEvent> history = new ArrayList<>();

    @Nested
    class AnInstanceThatNobodyHasStarted {
        @Test
        void begins_with_its_start_whatever_came_before() {
            var intake = open(raised("early"), start("first", null), raised("late"));

            assertThat(intake.isFirstTurn()).isTrue();
            assertThat(intake.executionId()).isEqualTo(EXECUTION);
            assertThat(kinds(intake))
                    .containsExactly(
                            EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EVENTRAISED, EventTypeCase.EVENTRAISED);
            assertThat(intake.events().get(1).event().getEventRaised().getName())
                    .isEqualTo("early");
        }

        @Test
        void waits_for_its_start_which_may_be_put_off() {
            assertThat(fetch(raised("a"), activityCompleted(1))).isInstanceOf(TurnIntake.TooEarly.class);
        }

        @Test
        void is_terminated_by_its_start_that_brings_the_termination_along() {
            var intake = open(raised("early"), terminatedStart("first"));

            assertThat(kinds(intake))
                    .containsExactly(
                            EventTypeCase.EXECUTIONSTARTED,
                            EventTypeCase.EXECUTIONTERMINATED,
                            EventTypeCase.EVENTRAISED);
            assertThat(intake.events().get(1).event().getExecutionTerminated().getInput())
                    .isEqualTo(Wire.text("stop"));
        }

        @Test
        void is_terminated_once_when_its_time_has_come_meanwhile() {
            var intake = open(start("first", null), terminatedStart("first"));

            assertThat(kinds(intake))
                    .containsExactly(EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EXECUTIONTERMINATED);
            assertThat(reasons(intake.dropped())).containsExactly(DroppedMessage.Reason.DUPLICATE);
        }

        @Test
        void gets_a_guid_when_its_start_brings_none() {
            var intake = open(new WorkItem.StartOrchestration("order-7", "Order", "[1]", "2", null, null, null, 1));

            var started = intake.events().get(0).event().getExecutionStarted();
            assertThat(started.getOrchestrationInstance().getExecutionId().getValue())
                    .isEqualTo("fresh-guid");
            assertThat(started.getOrchestrationInstance().getInstanceId()).isEqualTo("order-7");
            assertThat(started.getName()).isEqualTo("Order");
            assertThat(started.getInput().getValue()).isEqualTo("[1]");
            assertThat(started.getVersion().getValue()).isEqualTo("2");
        }

        @Test
        void takes_one_of_two_starts_and_answers_the_other_ones_parent() {
            var intake = open(start("first", null), start("second", PARENT));

            assertThat(kinds(intake)).containsExactly(EventTypeCase.EXECUTIONSTARTED);
            assertRefusedOnce(intake.answers());
        }
    }

    @Nested
    class ARunningInstance {
        @Test
        void is_terminated_by_what_was_sent_before_its_start() {
            started("first");

            var intake = open(terminatedStart("first"));

            assertThat(kinds(intake)).containsExactly(EventTypeCase.EXECUTIONTERMINATED);
            assertThat(intake.answers()).isEmpty();
        }

        @Test
        void is_terminated_by_what_was_sent_before_its_start_also_after_it_has_continued_as_new() {
            started("second");

            assertThat(kinds(open(terminatedStart("first")))).containsExactly(EventTypeCase.EXECUTIONTERMINATED);
        }

        @Test
        void takes_each_outcome_once() {
            started("first");
            scheduled(2, new EventKind.ActivityScheduled("ship", "", null, null), 0);
            scheduled(3, new EventKind.ActivityScheduled("bill", "", null, null), 1);
            history.add(event(4, new EventKind.ActivityCompleted("done")).withSourceEventId(2));

            var intake = open(activityCompleted(2), activityCompleted(3), activityCompleted(3), activityCompleted(9));

            assertThat(intake.events()).hasSize(1);
            assertThat(intake.events().get(0).sourceEventId()).isEqualTo(3);
            assertThat(reasons(intake.dropped()))
                    .containsExactly(
                            DroppedMessage.Reason.DUPLICATE,
                            DroppedMessage.Reason.DUPLICATE,
                            DroppedMessage.Reason.STALE);
        }

        @Test
        void takes_no_outcome_of_an_earlier_execution_nor_of_another_kind() {
            started("first");
            scheduled(2, new EventKind.SubOrchestrationScheduled("Ship", "ship-7", ""), 0);
            scheduled(3, new EventKind.TimerCreated(1), 1);

            var intake = idle(
                    new WorkItem.SubOrchCompleted("order-7", EXECUTION - 1, 2, "late"),
                    new WorkItem.TimerFired("order-7", EXECUTION, 2, 1),
                    new WorkItem.SubOrchCompleted("order-7", EXECUTION, 3, "no child"));

            assertThat(reasons(intake.dropped()))
                    .containsOnly(DroppedMessage.Reason.STALE)
                    .hasSize(3);
        }

        @Test
        void takes_no_outcome_of_a_child_that_an_execution_of_its_numbers_awaited_before_it_was_replaced() {
            started("first");
            scheduled(2, new EventKind.SubOrchestrationScheduled("Ship", "ship-7", ""), 0);

            var intake = open(childCompleted(2, "replaced"), childCompleted(2, "first"));

            assertThat(intake.events())
                    .singleElement()
                    .satisfies(event -> assertThat(event.message()).isEqualTo(childCompleted(2, "first")));
            assertThat(reasons(intake.dropped())).containsExactly(DroppedMessage.Reason.STALE);
        }

        @Test
        void takes_the_outcome_of_a_child_that_names_no_guid_by_its_numbers() {
            started("first");
            scheduled(2, new EventKind.SubOrchestrationScheduled("Ship", "ship-7", ""), 0);

            assertThat(open(childCompleted(2, "")).events()).hasSize(1);
        }

        @Test
        void learns_what_the_provider_says_of_a_child_that_could_not_be_started() {
            started("first");
            scheduled(2, new EventKind.SubOrchestrationScheduled("Ship", "ship-7", ""), 8);
            var details = new ErrorDetails.Infrastructure("deliver", "the deadline has passed", false);

            var intake = open(new WorkItem.SubOrchFailed("order-7", EXECUTION, 2, details));

            var failed = intake.events().get(0).event().getSubOrchestrationInstanceFailed();
            assertThat(failed.getTaskScheduledId()).as("the action's id").isEqualTo(8);
            assertThat(failed.getFailureDetails().getErrorType()).isEqualTo("Infrastructure");
            assertThat(failed.getFailureDetails().getErrorMessage()).isEqualTo("the deadline has passed");
            assertThat(failed.getFailureDetails().getIsNonRetriable()).isTrue();
        }

        @Test
        void takes_events_and_terminations_that_came_as_commands() {
            started("first");

            var intake = open(
                    new WorkItem.ExternalRaised("order-7", "dt:suspended", "[1]"),
                    new WorkItem.CancelInstance("order-7", "late"));

            assertThat(kinds(intake)).containsExactly(EventTypeCase.EVENTRAISED, EventTypeCase.EXECUTIONTERMINATED);
            assertThat(intake.events()
                            .get(1)
                            .event()
                            .getExecutionTerminated()
                            .getInput()
                            .getValue())
                    .isEqualTo("\"late\"");
            assertThat(intake.events())
                    .allSatisfy(event -> assertThat(Wire.instant(event.event().getTimestamp()))
                            .isEqualTo(TURN_START));
        }

        static Stream<Arguments> textsOfCommands() {
            return Stream.of(
                    Arguments.of("{\"paid\": true}", "{\"paid\": true}"),
                    Arguments.of("[1]", "[1]"),
                    Arguments.of(" 17 ", " 17 "),
                    Arguments.of("\"yes\"", "\"yes\""),
                    Arguments.of("[".repeat(2_000) + "]".repeat(2_000), "[".repeat(2_000) + "]".repeat(2_000)),
                    Arguments.of("customer called", "\"customer called\""),
                    Arguments.of("say \"no\"\n", "\"say \\\"no\\\"\\n\""),
                    Arguments.of("1 2", "\"1 2\""),
                    Arguments.of("{", "\"{\""),
                    Arguments.of(" ", "\" \""));
        }

        @ParameterizedTest
        @MethodSource("textsOfCommands")
        void reads_a_text_that_is_no_json_as_a_string_of_it(String text, String payload) {
            started("first");

            var intake = open(
                    new WorkItem.ExternalRaised("order-7", "paid", text), new WorkItem.CancelInstance("order-7", text));

            assertThat(intake.events().get(0).event().getEventRaised().getInput())
                    .isEqualTo(StringValue.of(payload));
            assertThat(intake.events().get(1).event().getExecutionTerminated().getInput())
                    .isEqualTo(StringValue.of(payload));
        }

        @Test
        void reads_an_empty_text_as_no_payload() {
            started("first");

            var intake = open(
                    new WorkItem.ExternalRaised("order-7", "paid", ""), new WorkItem.CancelInstance("order-7", ""));

            assertThat(intake.events().get(0).event().getEventRaised().hasInput())
                    .isFalse();
            assertThat(intake.events().get(1).event().getExecutionTerminated().hasInput())
                    .isFalse();
        }

        @Test
        void drops_its_own_start_when_it_comes_again() {
            started("first");

            var intake = idle(start("first", PARENT), start("other", null));

            assertThat(reasons(intake.dropped()))
                    .containsOnly(DroppedMessage.Reason.DUPLICATE)
                    .hasSize(2);
            assertThat(intake.answers()).isEmpty();
        }

        @Test
        void fails_another_start_for_its_parent() {
            started("first");

            var intake = idle(start("second", PARENT));

            assertThat(reasons(intake.dropped())).containsExactly(DroppedMessage.Reason.RUNNING);
            assertRefusedOnce(intake.answers());
        }

        @Test
        void takes_no_message_of_a_queue() {
            started("first");

            assertThat(reasons(
                            idle(new WorkItem.QueueMessage("order-7", "q", "1")).dropped()))
                    .containsExactly(DroppedMessage.Reason.FOREIGN);
        }
    }

    @Nested
    class AFinishedInstance {
        @Test
        void drops_everything_but_a_start_by_a_parent() {
            started("first");
            finished();

            var intake = idle(raised("a"), start("second", null));

            assertThat(reasons(intake.dropped()))
                    .containsOnly(DroppedMessage.Reason.FINISHED)
                    .hasSize(2);
        }

        @Test
        void begins_its_next_execution_by_a_parents_start() {
            started("first");
            finished();

            var intake = open(raised("for the first"), start("second", PARENT), raised("for the second"));

            assertThat(intake.executionId()).isEqualTo(EXECUTION + 1);
            assertThat(intake.isFirstTurn()).isTrue();
            assertThat(kinds(intake)).containsExactly(EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EVENTRAISED);
            assertThat(intake.events().get(1).event().getEventRaised().getName())
                    .isEqualTo("for the second");
            assertThat(reasons(intake.dropped())).containsExactly(DroppedMessage.Reason.FINISHED);
        }

        @Test
        void is_not_started_again_by_the_start_that_it_had() {
            started("first");
            finished();

            assertThat(reasons(idle(start("first", PARENT)).dropped())).containsExactly(DroppedMessage.Reason.FINISHED);
        }

        @Test
        void is_finished_also_when_its_custom_status_came_last() {
            started("first");
            finished();
            history.add(event(9, new EventKind.CustomStatusUpdated("bye")));

            assertThat(fetch(raised("a"))).isInstanceOf(TurnIntake.Idle.class);
        }
    }

    @Nested
    class AnInstanceBetweenTwoExecutions {
        @Test
        void waits_for_the_message_that_begins_the_next_one() {
            started("first");
            continuedAsNew();

            assertThat(fetch(raised("a"))).isInstanceOf(TurnIntake.TooEarly.class);
        }

        @Test
        void takes_nothing_of_the_ended_execution_along() {
            started("first");
            scheduled(2, new EventKind.ActivityScheduled("ship", "", null, null), 0);
            continuedAsNew();
            WorkItem next = MessageEncoder.continueAsNew(
                    "order-7", starting("second"), PARENT, List.of(raisedEvent("carried")), "half");

            var intake = open(activityCompleted(2), raised("new"), next);

            assertThat(kinds(intake))
                    .containsExactly(
                            EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EVENTRAISED, EventTypeCase.EVENTRAISED);
            assertThat(intake.events().get(1).event().getEventRaised().getName())
                    .isEqualTo("carried");
            assertThat(reasons(intake.dropped())).containsExactly(DroppedMessage.Reason.STALE);
            assertThat(intake.events().get(0).encoded().kind())
                    .isInstanceOfSatisfying(EventKind.OrchestrationStarted.class, started -> {
                        assertThat(started.parentInstance()).isEqualTo("parent");
                        assertThat(started.initialCustomStatus()).isEqualTo("half");
                    });
        }
    }

    @Test
    void a_history_that_can_not_be_read_is_not_taken_for_a_new_instance() {
        var item = new OrchestrationItem(
                "order-7", "Order", 1, "", List.of(), List.of(start("first", null)), "event 3: no such type", Map.of());

        assertThatThrownBy(() -> TurnEvents.of(item, TURN_START, () -> ""))
                .isInstanceOf(HistoryFormatException.class)
                .hasMessage("instance 'order-7': the history can't be read: event 3: no such type");
    }

    @Test
    void a_message_that_can_not_be_read_is_named() {
        started("first");
        var extras = new ExtraFields(Map.of("dt", "{}"));

        assertThatThrownBy(() -> fetch(new WorkItem.ExternalRaised("order-7", "a", "", extras)))
                .isInstanceOf(HistoryFormatException.class)
                .hasMessageStartingWith("instance 'order-7', message ExternalRaised: dt.i");
    }

    private void assertRefusedOnce(List<WorkItem> answers) {
        assertThat(answers).singleElement().isInstanceOfSatisfying(WorkItem.SubOrchFailed.class, answer -> {
            assertThat(answer.parentInstance()).isEqualTo("parent");
            assertThat(answer.parentExecutionId()).isEqualTo(2);
            assertThat(answer.parentId()).isEqualTo(11);
            assertThat(answer.details().text()).isEqualTo("an orchestration instance 'order-7' is running already");
        });
    }

    private TurnIntake.Open open(WorkItem... messages) {
        return (TurnIntake.Open) fetch(messages);
    }

    private TurnIntake.Idle idle(WorkItem... messages) {
        return (TurnIntake.Idle) fetch(messages);
    }

    private TurnIntake fetch(WorkItem... messages) {
        var item = new OrchestrationItem("order-7", "Order", EXECUTION, "", history, List.of(messages), null, Map.of());
        return TurnEvents.of(item, TURN_START, () -> "fresh-guid");
    }

    private void started(String guid) {
        history.add(EventEncoder.encode(starting(guid))
                .startedBy(PARENT, null)
                .at(new EventPlace("order-7", EXECUTION, 1, null, 0)));
    }

    private void scheduled(long eventId, EventKind kind, int action) {
        var fields = DtFields.of(action, List.of(), ByteString.EMPTY);
        history.add(new EncodedEvent(kind, fields).at(new EventPlace("order-7", EXECUTION, eventId, null, 0)));
    }

    private void finished() {
        ended(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED);
    }

    private void continuedAsNew() {
        ended(OrchestrationStatus.ORCHESTRATION_STATUS_CONTINUED_AS_NEW);
    }

    private void ended(OrchestrationStatus status) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(5);
        event.getExecutionCompletedBuilder().setOrchestrationStatus(status);
        history.add(EventEncoder.encode(event.build()).at(new EventPlace("order-7", EXECUTION, 8, null, 0)));
    }

    private static HistoryEvent event(long eventId, EventKind kind) {
        return HistoryEvent.of(eventId, "order-7", EXECUTION, 0, "999.1.0", kind);
    }

    private static WorkItem.StartOrchestration start(String guid, @Nullable ParentLink parent) {
        return MessageEncoder.start("order-7", starting(guid), parent);
    }

    private static WorkItem terminatedStart(String guid) {
        var start = MessageEncoder.start("order-7", starting(guid), null);
        return MessageEncoder.terminatedStart(start, "stop", false, TURN_START);
    }

    private static Protocol.HistoryEvent starting(String guid) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getExecutionStartedBuilder()
                .setName("Order")
                .getOrchestrationInstanceBuilder()
                .setInstanceId("order-7")
                .setExecutionId(Wire.text(guid));
        return event.build();
    }

    private static Protocol.HistoryEvent raisedEvent(String name) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getEventRaisedBuilder().setName(name);
        return event.build();
    }

    private static WorkItem raised(String name) {
        return MessageEncoder.external("order-7", raisedEvent(name));
    }

    private static WorkItem activityCompleted(long scheduledBy) {
        return new WorkItem.ActivityCompleted("order-7", EXECUTION, scheduledBy, "done");
    }

    private static WorkItem childCompleted(long scheduledBy, String parentGuid) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getSubOrchestrationInstanceCompletedBuilder().setResult(Wire.text("done"));
        return MessageEncoder.childEnded(new ParentLink("order-7", EXECUTION, scheduledBy), parentGuid, event.build());
    }

    private static List<EventTypeCase> kinds(TurnIntake.Open intake) {
        return intake.events().stream()
                .map(event -> event.event().getEventTypeCase())
                .toList();
    }

    private static List<DroppedMessage.Reason> reasons(List<DroppedMessage> dropped) {
        return dropped.stream().map(DroppedMessage::reason).toList();
    }
}
