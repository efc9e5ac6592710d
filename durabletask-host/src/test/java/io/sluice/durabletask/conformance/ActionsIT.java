package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.send;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.terminate;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.turn.Answers.timer;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.wire.Protocol.ActivityRequest;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What workers decide besides children: activities, timers, events, terminations, ends. */
@Order(1)
class ActionsIT {
    /** A batch has a hundred documents. */
    private static final int MANY = 105;

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takesActivity(activity).connect();
    }

    @Test
    void an_activity_gets_all_that_the_orchestration_says() {
        ScriptedWorker worker = worker();
        String instance = client.start(request(name).setExecutionId(Wire.text("e-1")));
        OrchestratorAction.Builder action = task(7, activity, "{\"n\": 1}").toBuilder();
        action.getScheduleTaskBuilder()
                .setVersion(Wire.text("3"))
                .putTags("tenant", "a")
                .getParentTraceContextBuilder()
                .setTraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        worker.decide(instance, action.build());

        ActivityRequest request = worker.activity(instance).getActivityRequest();

        assertThat(request.getName()).isEqualTo(activity);
        assertThat(request.getInput()).isEqualTo(Wire.text("{\"n\": 1}"));
        assertThat(request.getVersion()).isEqualTo(Wire.text("3"));
        assertThat(request.getTaskId()).isEqualTo(7);
        assertThat(request.getTagsMap()).containsEntry("tenant", "a");
        assertThat(request.getParentTraceContext())
                .isEqualTo(action.getScheduleTask().getParentTraceContext());
        assertThat(request.getOrchestrationInstance().getExecutionId()).isEqualTo(Wire.text("e-1"));
    }

    @Test
    void a_failed_activity_brings_all_its_details() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "in"));
        TaskFailureDetails.Builder failure = TaskFailureDetails.newBuilder()
                .setErrorType("Boom")
                .setErrorMessage("bad luck")
                .setStackTrace(Wire.text("at here"))
                .setIsNonRetriable(true);
        failure.getInnerFailureBuilder().setErrorType("Cause").setErrorMessage("worse luck");
        var unused = worker.stub()
                .completeActivityTask(ScriptedWorker.answerTo(
                        worker.activity(instance),
                        ActivityResponse.newBuilder().setFailureDetails(failure).build()));

        HistoryEvent event = Events.only(worker.turn(instance), EventTypeCase.TASKFAILED);

        assertThat(event.getTaskFailed().getFailureDetails()).isEqualTo(failure.build());
    }

    @Test
    void no_result_and_an_empty_one_are_told_apart() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "in"));
        var unused = worker.stub()
                .completeActivityTask(
                        ScriptedWorker.answerTo(worker.activity(instance), ActivityResponse.getDefaultInstance()));
        var without = Events.only(
                        io.sluice.durabletask.wire.Protocol.WorkItem.newBuilder()
                                .setOrchestratorRequest(worker.decide(instance, task(1, activity, "in")))
                                .build(),
                        EventTypeCase.TASKCOMPLETED)
                .getTaskCompleted();
        worker.complete(worker.activity(instance), "");
        var empty =
                Events.only(worker.turn(instance), EventTypeCase.TASKCOMPLETED).getTaskCompleted();

        assertThat(without.hasResult()).isFalse();
        assertThat(empty.getResult()).isEqualTo(Wire.text(""));
    }

    @Test
    void a_result_that_the_store_has_no_room_for_fails_the_activity() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "in"));

        worker.complete(worker.activity(instance), "x".repeat(1_900_000));

        TaskFailureDetails failure = Events.only(worker.turn(instance), EventTypeCase.TASKFAILED)
                .getTaskFailed()
                .getFailureDetails();
        assertThat(failure.getErrorMessage()).contains("the result of the activity", "bytes");
        assertThat(failure.getIsNonRetriable()).isTrue();
    }

    @Test
    void more_activities_of_one_turn_than_a_batch_takes_come_back_once_each() {
        ScriptedWorker worker = host.worker().takes(name).limits(10, 50);
        worker.performs(activity, request -> request.getInput().getValue()).connect();
        String instance = client.start(name, "1");
        worker.decide(
                instance,
                IntStream.range(0, MANY)
                        .mapToObj(i -> task(i, activity, "" + i))
                        .toArray(OrchestratorAction[]::new));

        Set<Integer> results = new TreeSet<>();
        int events = 0;
        while (results.size() < MANY) {
            for (HistoryEvent event :
                    Events.of(worker.decide(instance).getNewEventsList(), EventTypeCase.TASKCOMPLETED)) {
                var completed = event.getTaskCompleted();
                assertThat(completed.getResult().getValue()).isEqualTo("" + completed.getTaskScheduledId());
                results.add(completed.getTaskScheduledId());
                events++;
            }
        }

        assertThat(events).isEqualTo(MANY);
    }

    @Test
    void a_timer_fires_at_its_time_and_not_before() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        Instant due = Instant.now().plusMillis(700).plusNanos(123_456);
        worker.decide(instance, timer(0, due.toString()));

        HistoryEvent event = Events.only(worker.turn(instance), EventTypeCase.TIMERFIRED);

        assertThat(Instant.now()).isAfterOrEqualTo(due);
        assertThat(Wire.instant(event.getTimerFired().getFireAt())).isEqualTo(due);
        assertThat(event.getTimerFired().getTimerId()).isZero();
    }

    @Test
    void a_timer_that_is_due_already_fires_at_once() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, timer(0, "2001-01-01T00:00:00Z"));

        assertThat(Events.newKinds(worker.turn(instance))).contains(EventTypeCase.TIMERFIRED);
    }

    @Test
    void timers_fire_in_the_order_of_their_times() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        Instant now = Instant.now();
        worker.decide(
                instance,
                timer(0, now.plusSeconds(10).toString()),
                timer(1, now.plusMillis(300).toString()));

        HistoryEvent first = Events.only(worker.turn(instance), EventTypeCase.TIMERFIRED);

        assertThat(first.getTimerFired().getTimerId()).isEqualTo(1);
    }

    @Test
    void an_event_goes_from_one_instance_to_another() {
        ScriptedWorker worker = worker();
        String receiver = client.start(name, "1");
        worker.decide(receiver);
        String sender = client.start(name, "2");
        worker.decide(sender, send(0, receiver, "hello", "42"));

        var event =
                Events.only(worker.turn(receiver), EventTypeCase.EVENTRAISED).getEventRaised();

        assertThat(event.getName()).isEqualTo("hello");
        assertThat(event.getInput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void an_instance_may_send_an_event_to_itself() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, send(0, instance, "hello", "42"));

        assertThat(Events.newKinds(worker.turn(instance)))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EVENTRAISED);
    }

    @Test
    void an_event_to_nobody_is_lost_and_nobody_comes_of_it() {
        ScriptedWorker worker = worker();
        String nobody = unique("nobody");
        String sender = client.start(name, "1");
        worker.decide(sender, send(0, nobody, "hello", "42"), send(1, "a/b", "hello", "42"), completed(2, "42"));
        client.awaitEnd(sender);

        String started = client.start(request(name).setInstanceId(unique("later")));
        worker.decide(started, completed(0, "42"));

        assertThat(client.get(nobody).getExists()).isFalse();
        assertThat(client.awaitEnd(sender).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void one_instance_may_terminate_another() {
        ScriptedWorker worker = worker();
        String victim = client.start(name, "1");
        worker.decide(victim);
        String other = client.start(name, "2");
        worker.decide(other, terminate(0, victim, "enough", true), completed(1, "42"));

        WorkItem turn = worker.turn(victim);

        var told = Events.only(turn, EventTypeCase.EXECUTIONTERMINATED).getExecutionTerminated();
        assertThat(told.getInput()).isEqualTo(Wire.text("enough"));
        assertThat(told.getRecurse()).isTrue();
        worker.complete(turn, terminated(0, "enough"));
    }

    @Test
    void an_output_that_has_no_room_fails_the_instance_and_names_the_field() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, completed(0, "x".repeat(1_900_000)));

        OrchestrationState state = client.awaitEnd(instance);

        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_FAILED);
        assertThat(state.getFailureDetails().getErrorMessage()).contains("completeOrchestration.result", "bytes");
    }

    /** One of each status; {@code RefusedResponsesTest} has them all. */
    static Stream<Arguments> refused() {
        OrchestratorAction.Builder rewind = OrchestratorAction.newBuilder().setId(0);
        rewind.getRewindOrchestrationBuilder();
        return Stream.of(
                Arguments.of(
                        new OrchestratorAction[] {completed(0, "1"), completed(1, "2")},
                        Code.INVALID_ARGUMENT,
                        "ends once"),
                Arguments.of(new OrchestratorAction[] {rewind.build()}, Code.UNIMPLEMENTED, "rewinding"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void an_answer_that_can_not_be_committed_is_refused_whole_and_the_turn_comes_again(
            OrchestratorAction[] actions, Code code, String reason) {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        OrchestratorAction[] withTask = Stream.concat(Stream.of(task(9, activity, "in")), Stream.of(actions))
                .toArray(OrchestratorAction[]::new);
        assertRefused(code, () -> worker.complete(turn, withTask), instance, reason);

        WorkItem again = worker.turn(instance);
        assertThat(again.getOrchestratorRequest().getPastEventsList()).isEmpty();
        worker.complete(again, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(worker.inbox().content()).as("no activity was scheduled").isEmpty();
    }
}
