package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.raised;
import static io.sluice.durabletask.turn.Answers.send;
import static io.sluice.durabletask.turn.Answers.suspending;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.turn.Answers.terminating;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.ParentLink;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How executions end, and how the next one begins. */
class EndingsTest {
    private static final String STARTED = "event 1 OrchestrationStarted[name=Order, version=, input=1]\n";

    @Nested
    class Endings {
        @Test
        void what_an_ending_turn_still_asks_for_is_done() {
            String committed =
                    Scenario.fresh().commit(answer(completed(1, null), send(0, "order-8", "bye", "")), start());

            assertThat(committed).isEqualTo("execution 1\n" + STARTED + """
                    event 2 ExternalSubscribed[name=dt:event-sent]
                    event 3 OrchestrationCompleted[output=]
                    send ExternalRaised[instance=order-8, name=bye, data=]
                    state COMPLETED, stored Completed null""");
        }

        @Test
        void a_terminated_instance_is_stored_as_cancelled() {
            Scenario scenario = Scenario.started(answer(child(0, "ship-7", "Ship")));

            String committed = scenario.commit(
                    answer(terminated(1, "\"late\"")), scenario.external(terminating("\"late\"", false)));

            assertThat(committed).isEqualTo("""
                    execution 1
                    event 3 OrchestrationCancelRequested[reason="late"]
                    event 4 OrchestrationFailed[details=Application[kind=Cancelled[reason="late"], message=, \
                    retryable=false]]
                    state TERMINATED, stored Failed "late\"""");
        }

        @Test
        void termination_with_children_reaches_those_that_are_open_in_the_same_turn() {
            Scenario scenario = Scenario.started(
                    answer(child(0, "ship-7", "Ship"), child(1, "bill-7", "Bill"), child(2, "pack-7", "Pack")));
            scenario.commit(answer(), childCompleted(3, 1));

            String committed =
                    scenario.commit(answer(terminated(3, "late")), scenario.external(terminating("late", true)));

            assertThat(committed).endsWith("""
                    send CancelInstance[instance=ship-7, reason=late]
                    send CancelInstance[instance=pack-7, reason=late]
                    state TERMINATED, stored Failed late""");
        }

        @Test
        void a_parent_is_told_that_its_child_was_terminated() {
            String committed = Scenario.startedByParent(answer())
                    .commit(answer(terminated(0, "late")), external("child", terminating("late", false)));

            assertThat(committed)
                    .contains("send SubOrchFailed[parentInstance=parent")
                    .contains("message=sub-orchestration 'child' was terminated: late");
        }
    }

    @Nested
    class ContinueAsNew {
        @Test
        void starts_the_next_execution_with_events_carried_over_and_a_fresh_guid() {
            Scenario scenario = Scenario.fresh();

            String ended = scenario.commit(answer(continued(0, "2", raised("a", "1"), raised("b", "2"))), start());
            assertThat(ended).isEqualTo("execution 1\n" + STARTED + """
                    event 2 OrchestrationContinuedAsNew[input=2]
                    send ContinueAsNew[orchestration=Order, input=2]
                    state RUNNING, stored ContinuedAsNew 2""");

            TurnOutcome begun = scenario.outcome(answer(), scenario.ownMessages());
            assertThat(Scenario.text(begun)).isEqualTo("""
                    execution 2
                    event 1 OrchestrationStarted[name=Order, version=, input=2]
                    event 2 ExternalEvent[name=a, data=1]
                    event 3 ExternalEvent[name=b, data=2]
                    state RUNNING""");
            assertThat(begun.state().executionGuid()).isEqualTo("guid-2");
            assertThat(begun.state().tags()).containsEntry("tenant", "a");
            assertThat(begun.metadata().pinnedDuroxideVersion()).hasToString("999.1.0");
        }

        @Test
        void a_termination_in_the_turn_that_would_go_on_ends_it() {
            Scenario scenario = Scenario.started(answer(child(0, "ship-7", "Ship")));

            String committed =
                    scenario.commit(answer(continued(1, "2")), scenario.external(terminating("\"enough\"", true)));

            assertThat(committed).isEqualTo("""
                    execution 1
                    event 3 OrchestrationCancelRequested[reason="enough"]
                    event 4 OrchestrationFailed[details=Application[kind=Cancelled[reason="enough"], message=, \
                    retryable=false]]
                    send CancelInstance[instance=ship-7, reason="enough"]
                    state TERMINATED, stored Failed "enough\"""");
        }

        @Test
        void a_suspension_in_the_turn_that_goes_on_holds_the_next_execution() {
            Scenario scenario = Scenario.started(answer());
            scenario.commit(
                    answer(continued(0, "2", raised("a", "1"))),
                    scenario.external(raised("go", "")),
                    scenario.external(suspending()));

            assertThat(Scenario.text(scenario.outcome(answer(), scenario.ownMessages())))
                    .contains("event 2 ExternalEvent[name=a, data=1]")
                    .endsWith("state SUSPENDED");
        }

        @Test
        void what_follows_it_is_ignored() {
            String committed = Scenario.fresh()
                    .commit(answer(send(0, "x", "before", ""), continued(1, "2"), task(2, "after", "")), start());

            assertThat(committed).contains("name=before").doesNotContain("after");
        }

        @Test
        void keeps_messages_that_came_before_the_next_start() {
            Scenario scenario = Scenario.started(answer(continued(0, "2")));
            WorkItem next = scenario.ownMessages()[0];

            String committed = scenario.commit(answer(), scenario.external(raised("early", "1")), next);

            assertThat(committed).isEqualTo("""
                    execution 2
                    event 1 OrchestrationStarted[name=Order, version=, input=2]
                    event 2 ExternalEvent[name=early, data=1]
                    state RUNNING""");
        }

        @Test
        void without_a_result_leaves_the_next_execution_without_an_input() {
            Scenario scenario = Scenario.started(
                    answer(Answers.complete(0, OrchestrationStatus.ORCHESTRATION_STATUS_CONTINUED_AS_NEW, null)));

            TurnOutcome begun = scenario.outcome(answer(), scenario.ownMessages());

            assertThat(begun.state().inputCharacters()).isEqualTo(-1);
        }

        @Test
        void takes_another_version_and_other_tags() {
            var action = continued(0, "2").toBuilder();
            action.getCompleteOrchestrationBuilder()
                    .setNewVersion(Wire.text("2.0"))
                    .putTags("region", "b");
            Scenario scenario = Scenario.started(answer(action.build()));

            TurnOutcome begun = scenario.outcome(answer(), scenario.ownMessages());

            assertThat(begun.metadata().orchestrationVersion()).isEqualTo("2.0");
            assertThat(begun.state().tags()).containsOnlyKeys("region").containsValue("b");
        }
    }

    private static WorkItem start() {
        return MessageEncoder.start("order-7", Answers.starting("Order", "1"), null);
    }

    private static WorkItem external(String instance, Protocol.HistoryEvent event) {
        return MessageEncoder.external(instance, event);
    }

    private static WorkItem childCompleted(long scheduledBy, int action) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getSubOrchestrationInstanceCompletedBuilder().setTaskScheduledId(action);
        return MessageEncoder.childEnded(new ParentLink("order-7", 1, scheduledBy), "", event.build());
    }
}
