package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.having;
import static io.sluice.durabletask.turn.Answers.raised;
import static io.sluice.durabletask.turn.Answers.resuming;
import static io.sluice.durabletask.turn.Answers.send;
import static io.sluice.durabletask.turn.Answers.suspending;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.terminate;
import static io.sluice.durabletask.turn.Answers.timer;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A worker's answer, and all that the turn commits for it. */
class ActionsTest {
    private static final String STARTED = "event 1 OrchestrationStarted[name=Order, version=, input=1]\n";

    @Test
    void an_answer_without_actions_leaves_the_instance_waiting() {
        String committed = Scenario.fresh().commit(answer(), start());

        assertThat(committed).isEqualTo("execution 1\n" + STARTED + "state RUNNING");
    }

    @Test
    void a_task_is_recorded_and_given_to_the_workers() {
        String committed = Scenario.fresh().commit(answer(task(0, "ship", "[7]"), task(1, "bill", "[8]")), start());

        assertThat(committed).isEqualTo("execution 1\n" + STARTED + """
                event 2 ActivityScheduled[name=ship, input=[7], tag=ship]
                event 3 ActivityScheduled[name=bill, input=[8], tag=bill]
                work ActivityExecute[executionId=1, id=2, name=ship, input=[7], tag=ship]
                work ActivityExecute[executionId=1, id=3, name=bill, input=[8], tag=bill]
                state RUNNING""");
    }

    @Test
    void a_result_points_to_the_event_that_scheduled_it() {
        Scenario scenario = Scenario.started(answer(task(0, "ship", "[7]"), task(1, "bill", "[8]")));

        String committed = scenario.commit(answer(completed(2, "\"done\"")), scenario.completed(1, "\"billed\""));

        assertThat(committed).isEqualTo("""
                execution 1
                event 4 of 3 ActivityCompleted[result="billed"]
                event 5 OrchestrationCompleted[output="done"]
                state COMPLETED, stored Completed "done\"""");
        assertThat(scenario.past())
                .isEqualTo("ORCHESTRATORSTARTED EXECUTIONSTARTED TASKSCHEDULED TASKSCHEDULED"
                        + " ORCHESTRATORSTARTED TASKCOMPLETED EXECUTIONCOMPLETED");
    }

    @Test
    void a_timer_is_rounded_up_to_the_millisecond_and_brings_its_exact_time() {
        Scenario scenario = Scenario.fresh();

        String committed = scenario.commit(answer(timer(0, "2026-06-15T09:00:00.000000001Z")), start());

        assertThat(committed).isEqualTo("execution 1\n" + STARTED + """
                event 2 TimerCreated[fireAtMillis=1781514000001]
                send TimerFired[executionId=1, id=2, fireAtMillis=1781514000001]
                state RUNNING""");
        assertThat(scenario.commit(answer(), scenario.ownMessages())).isEqualTo("""
                execution 1
                event 3 of 2 TimerFired[fireAtMillis=1781514000001]
                state RUNNING""");
        Protocol.HistoryEvent fired = past(scenario, 4);
        assertThat(fired.getTimerFired().getTimerId()).isZero();
        assertThat(Wire.instant(fired.getTimerFired().getFireAt())).hasToString("2026-06-15T09:00:00.000000001Z");
        assertThat(Wire.instant(fired.getTimestamp()))
                .as("when the turn took it, not when it was set")
                .isEqualTo(Scenario.STARTED.plusSeconds(10));
    }

    @Test
    void an_event_leaves_a_marker_and_goes_to_its_target() {
        String committed = Scenario.fresh().commit(answer(send(0, "order-8", "paid", "{}")), start());

        assertThat(committed).isEqualTo("execution 1\n" + STARTED + """
                event 2 ExternalSubscribed[name=dt:event-sent]
                send ExternalRaised[instance=order-8, name=paid, data={}]
                state RUNNING""");
    }

    @Test
    void an_event_that_was_sent_is_not_sent_again() {
        Scenario scenario = Scenario.started(answer(send(3, "other", "go", "1")));

        String again = scenario.commit(answer(send(3, "other", "go", "1")), scenario.external(raised("a", "1")));

        assertThat(again).doesNotContain("other");
    }

    @Test
    void an_event_to_an_id_that_no_instance_can_have_leaves_only_its_marker() {
        String committed = Scenario.fresh().commit(answer(send(0, "order/8", "paid", "{}")), start());

        assertThat(committed).isEqualTo("execution 1\n" + STARTED + """
                event 2 ExternalSubscribed[name=dt:event-sent]
                state RUNNING""");
    }

    @Test
    void another_instance_is_terminated_by_a_message() {
        TurnOutcome outcome = Scenario.fresh().outcome(answer(terminate(0, "order-8", "late", true)), start());

        assertThat(Scenario.text(outcome)).isEqualTo("execution 1\n" + STARTED + """
                send CancelInstance[instance=order-8, reason=late]
                state RUNNING""");
    }

    @Nested
    class CustomStatus {
        @Test
        void is_recorded_when_it_changes() {
            Scenario scenario = Scenario.started(withStatus(answer(task(0, "ship", "1")), "\"half\""));

            String same = scenario.commit(withStatus(answer(), "\"half\""), scenario.external(raised("a", "1")));
            String other = scenario.commit(withStatus(answer(), "\"whole\""), scenario.external(raised("a", "2")));
            String none = scenario.commit(answer(), scenario.external(raised("a", "3")));

            assertThat(same).doesNotContain("CustomStatusUpdated");
            assertThat(other).contains("event 6 CustomStatusUpdated[status=\"whole\"]");
            assertThat(none).doesNotContain("CustomStatusUpdated");
            assertThat(scenario.past()).doesNotContain("NOT_SET").endsWith("EVENTRAISED");
        }

        @Test
        void that_is_empty_stands_for_none() {
            Scenario scenario = Scenario.started(withStatus(answer(task(0, "ship", "1")), ""));

            String set = scenario.commit(withStatus(answer(), "half"), scenario.external(raised("a", "1")));
            String cleared = scenario.commit(withStatus(answer(), ""), scenario.external(raised("a", "2")));

            assertThat(scenario.past()).doesNotContain("CustomStatus");
            assertThat(set).contains("CustomStatusUpdated[status=half]");
            assertThat(cleared).contains("CustomStatusUpdated[]");
        }

        @Test
        void of_a_finished_execution_is_cleared_when_a_parent_starts_the_instance_again() {
            Scenario scenario = Scenario.startedByParent(withStatus(answer(failed(0, "Boom", "once")), "half"));

            String begun = scenario.commit(answer(), Scenario.startOfChild("second"));
            String goingOn = scenario.commit(answer(), external("child", raised("go", "")));

            assertThat(begun).contains("execution 2").contains("event 2 CustomStatusUpdated[]");
            assertThat(goingOn).doesNotContain("CustomStatusUpdated");
        }

        @Test
        void of_a_finished_execution_gives_way_to_that_of_the_next() {
            Scenario scenario = Scenario.startedByParent(withStatus(answer(failed(0, "Boom", "once")), "half"));

            String begun = scenario.commit(withStatus(answer(), "half"), Scenario.startOfChild("second"));

            assertThat(begun)
                    .contains("event 2 CustomStatusUpdated[status=half]")
                    .doesNotContain("event 3");
        }

        @Test
        void that_nobody_has_set_is_not_cleared() {
            Scenario scenario = Scenario.startedByParent(answer(failed(0, "Boom", "once")));

            assertThat(scenario.commit(answer(), Scenario.startOfChild("second")))
                    .doesNotContain("CustomStatusUpdated");
        }

        @Test
        void survives_continue_as_new() {
            Scenario scenario = Scenario.started(withStatus(answer(continued(0, "2")), "half"));

            String committed = scenario.commit(withStatus(answer(), "half"), scenario.ownMessages());

            assertThat(committed)
                    .contains("initialCustomStatus=half")
                    .as("said again, it is no change")
                    .doesNotContain("CustomStatusUpdated");
        }
    }

    @Nested
    class Children {
        @Test
        void a_child_is_recorded_and_started_with_its_parent() {
            Scenario scenario = Scenario.fresh();

            TurnOutcome outcome = scenario.outcome(answer(child(10, "", "Ship")), start());

            assertThat(Scenario.text(outcome)).isEqualTo("execution 1\n" + STARTED + """
                    event 2 SubOrchestrationScheduled[name=Ship, instance=order-7:000a, input=]
                    send StartOrchestration[instance=order-7:000a, orchestration=Ship, input=, \
                    parentInstance=order-7, parentId=2, parentExecutionId=1, executionId=1]
                    state RUNNING""");
        }

        @Test
        void a_child_knows_its_parent_and_has_an_execution_of_its_own() {
            WorkItem start = Scenario.fresh()
                    .outcome(answer(child(10, "ship-7", "Ship"), child(11, "bill-7", "Bill")), start())
                    .orchestratorItems()
                    .get(0);
            Scenario child = Scenario.fresh();
            child.commit(answer(), start);

            var started = past(child, 1).getExecutionStarted();
            assertThat(started.hasInput()).as("absent, not empty").isFalse();
            assertThat(started.getParentInstance().getTaskScheduledId()).isEqualTo(10);
            assertThat(started.getParentInstance().getName().getValue()).isEqualTo("Order");
            assertThat(started.getParentInstance()
                            .getOrchestrationInstance()
                            .getExecutionId()
                            .getValue())
                    .isEqualTo("guid-1");
            assertThat(started.getOrchestrationInstance().getExecutionId().getValue())
                    .isEqualTo("guid-2");
        }

        @Test
        void a_child_under_an_id_that_the_store_refuses_fails_for_its_parent_to_see() {
            Scenario scenario = Scenario.fresh();

            String committed = scenario.commit(answer(child(0, "ship/7", "Ship")), start());

            assertThat(committed)
                    .contains("send SubOrchFailed[parentInstance=order-7, parentExecutionId=1, parentId=2")
                    .contains("an instance id holds none of / \\ ? #")
                    .doesNotContain("StartOrchestration");
            assertThat(scenario.commit(answer(), scenario.ownMessages()))
                    .contains("event 3 of 2 SubOrchestrationFailed");
        }

        @Test
        void a_result_reaches_the_parents_execution() {
            String committed = Scenario.startedByParent(answer())
                    .commit(answer(completed(0, "42")), external("child", raised("go", "")));

            assertThat(committed).isEqualTo("""
                    execution 1
                    event 2 ExternalEvent[name=go, data=]
                    event 3 OrchestrationCompleted[output=42]
                    send SubOrchCompleted[parentInstance=parent, parentExecutionId=2, parentId=11, result=42]
                    state COMPLETED, stored Completed 42""");
        }

        @Test
        void a_failure_reaches_the_parent_with_its_details() {
            TurnOutcome outcome = Scenario.startedByParent(answer())
                    .outcome(answer(failed(0, "Boom", "it went boom")), external("child", raised("go", "")));

            assertThat(Scenario.text(outcome)).contains("""
                    event 3 OrchestrationFailed[details=Application[kind=ORCHESTRATION_FAILED, message=it went boom, \
                    retryable=false]]
                    send SubOrchFailed[parentInstance=parent, parentExecutionId=2, parentId=11, \
                    details=Application[kind=ORCHESTRATION_FAILED, message=it went boom, retryable=false]]
                    state FAILED, stored Failed it went boom""");
            assertThat(outcome.state().failure())
                    .extracting(Protocol.TaskFailureDetails::getErrorType)
                    .isEqualTo("Boom");
            assertThat(outcome.state().completedAt()).isEqualTo(Scenario.NOW.plusSeconds(10));
        }

        @Test
        void the_parent_is_still_known_after_continue_as_new() {
            Scenario scenario = Scenario.startedByParent(answer(continued(0, "2")));

            String committed = scenario.commit(answer(completed(0, "42")), scenario.ownMessages());

            assertThat(committed).isEqualTo("""
                    execution 2
                    event 1 OrchestrationStarted[name=Ship, version=, input=2, parentInstance=parent, parentId=11, \
                    parentExecutionId=2]
                    event 2 OrchestrationCompleted[output=42]
                    send SubOrchCompleted[parentInstance=parent, parentExecutionId=2, parentId=11, result=42]
                    state COMPLETED, stored Completed 42""");
        }

        @Test
        void a_start_by_a_parent_reaches_a_finished_child_as_its_next_execution() {
            Scenario scenario = Scenario.startedByParent(answer(failed(0, "Boom", "once")));

            String committed = scenario.commit(answer(completed(0, "42")), Scenario.startOfChild("second"));

            assertThat(committed)
                    .startsWith("execution 2\nevent 1 OrchestrationStarted[name=Ship")
                    .contains("send SubOrchCompleted[parentInstance=parent");
        }
    }

    @Nested
    class Suspension {
        @Test
        void is_the_hosts_to_know() {
            Scenario scenario = Scenario.started(answer());

            TurnOutcome suspended = scenario.outcome(answer(), scenario.external(suspending()));
            scenario.commit(answer(), scenario.external(suspending()));
            TurnOutcome still = scenario.outcome(answer(), scenario.external(raised("a", "1")));
            TurnOutcome resumed = scenario.outcome(answer(), scenario.external(resuming()));

            assertThat(suspended.state().status()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED);
            assertThat(still.state().status()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED);
            assertThat(resumed.state().status()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING);
        }

        @Test
        void an_event_of_that_name_suspends_nobody() {
            Scenario scenario = Scenario.started(answer());

            TurnOutcome outcome = scenario.outcome(answer(), scenario.external(raised("dt:suspended", "1")));

            assertThat(outcome.state().status()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING);
        }
    }

    @Nested
    class EventsNotTaken {
        @Test
        void are_sent_again() {
            Scenario scenario = Scenario.started(answer(task(0, "ship", "1")));

            String committed = scenario.commit(
                    having(answer(), 2),
                    scenario.external(raised("a", "1")),
                    scenario.completed(0, "2"),
                    scenario.external(raised("b", "3")));

            assertThat(committed).isEqualTo("""
                    execution 1
                    event 3 ExternalEvent[name=a, data=1]
                    send ActivityCompleted[executionId=1, id=2, result=2]
                    send ExternalRaised[name=b, data=3]
                    state RUNNING""");
            assertThat(scenario.commit(answer(), scenario.ownMessages())).isEqualTo("""
                    execution 1
                    event 4 of 2 ActivityCompleted[result=2]
                    event 5 ExternalEvent[name=b, data=3]
                    state RUNNING""");
        }

        @Test
        void a_turn_that_takes_none_still_says_when_it_began() {
            Scenario scenario = Scenario.started(answer());

            scenario.commit(withStatus(having(answer(), 1), "busy"), scenario.external(raised("a", "1")));

            assertThat(scenario.past()).isEqualTo("ORCHESTRATORSTARTED EXECUTIONSTARTED ORCHESTRATORSTARTED");
        }

        @Test
        void more_than_there_are_means_all() {
            Scenario scenario = Scenario.started(answer());

            assertThat(scenario.commit(having(answer(), 99), scenario.external(raised("a", "1"))))
                    .contains("ExternalEvent")
                    .doesNotContain("send");
        }
    }

    @Test
    void the_trace_of_the_start_goes_along_with_what_the_turn_sends() {
        var start = Answers.starting("Order", "1").toBuilder();
        String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        start.getExecutionStartedBuilder().getParentTraceContextBuilder().setTraceParent(traceparent);

        TurnOutcome outcome = Scenario.fresh().outcome(answer(), MessageEncoder.start("order-7", start.build(), null));

        assertThat(outcome.dispatch().trace()).extracting("traceparent").isEqualTo(traceparent);
    }

    private static WorkItem start() {
        return MessageEncoder.start("order-7", Answers.starting("Order", "1"), null);
    }

    private static WorkItem external(String instance, Protocol.HistoryEvent event) {
        return MessageEncoder.external(instance, event);
    }

    private static Protocol.HistoryEvent past(Scenario scenario, int index) {
        return EventDecoder.pastEvents(scenario.history()).get(index);
    }
}
