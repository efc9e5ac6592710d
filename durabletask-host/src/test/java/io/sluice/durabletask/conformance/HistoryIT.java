package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.send;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.timer;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.turn.Answers;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Histories as workers replay them: what they hold, in which order, with which ids and times. */
class HistoryIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takesActivity(activity).connect();
    }

    @Test
    void the_first_turn_begins_with_the_start_of_the_turn_and_the_execution() {
        String instance = client.start(name, "1");

        OrchestratorRequest turn = worker().turn(instance).getOrchestratorRequest();

        assertThat(turn.getPastEventsList()).isEmpty();
        assertThat(Events.kinds(turn.getNewEventsList()))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED);
        assertThat(turn.getNewEventsList()).allSatisfy(event -> {
            assertThat(event.getEventId()).isEqualTo(-1);
            assertThat(event.hasTimestamp()).isTrue();
        });
        assertThat(turn.getRequiresHistoryStreaming()).isFalse();
    }

    @Test
    void a_later_turn_repeats_what_was_and_brings_what_is_new() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        OrchestratorRequest first = worker.decide(instance, task(0, activity, "in"));
        worker.complete(worker.activity(instance), "out");

        OrchestratorRequest second = worker.turn(instance).getOrchestratorRequest();

        assertThat(Events.kinds(second.getPastEventsList()))
                .containsExactly(
                        EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED, EventTypeCase.TASKSCHEDULED);
        assertThat(second.getPastEventsList()).startsWith(first.getNewEvents(0), first.getNewEvents(1));
        assertThat(Events.kinds(second.getNewEventsList()))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.TASKCOMPLETED);
        assertThat(second.getExecutionId()).isEqualTo(first.getExecutionId());
    }

    @Test
    void what_an_action_scheduled_has_its_id_and_what_comes_of_it_names_it() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(
                instance,
                task(0, activity, "in"),
                timer(1, Instant.now().plusMillis(300).toString()),
                child(2, unique("kid"), "Nobody"),
                send(3, unique("other"), "hi", "1"));
        worker.complete(worker.activity(instance), "out");
        List<HistoryEvent> results = new ArrayList<>();
        OrchestratorRequest last = OrchestratorRequest.getDefaultInstance();
        while (results.size() < 2) {
            last = worker.decide(instance);
            last.getNewEventsList().stream()
                    .filter(event -> !event.hasOrchestratorStarted())
                    .forEach(results::add);
        }

        List<HistoryEvent> past = last.getPastEventsList();
        assertThat(Events.only(past, EventTypeCase.TASKSCHEDULED).getEventId()).isZero();
        assertThat(Events.only(past, EventTypeCase.TIMERCREATED).getEventId()).isEqualTo(1);
        assertThat(Events.only(past, EventTypeCase.SUBORCHESTRATIONINSTANCECREATED)
                        .getEventId())
                .isEqualTo(2);
        assertThat(Events.only(past, EventTypeCase.EVENTSENT).getEventId()).isEqualTo(3);
        assertThat(results).allSatisfy(event -> assertThat(event.getEventId()).isEqualTo(-1));
        assertThat(Events.only(results, EventTypeCase.TASKCOMPLETED)
                        .getTaskCompleted()
                        .getTaskScheduledId())
                .isZero();
        assertThat(Events.only(results, EventTypeCase.TIMERFIRED)
                        .getTimerFired()
                        .getTimerId())
                .isEqualTo(1);
    }

    @Test
    void the_time_that_an_orchestration_sees_never_goes_back() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance);
        for (int i = 0; i < 10; i++) {
            client.raise(instance, "n", "" + i);
            worker.decide(instance);
        }
        client.raise(instance, "last", "");

        List<HistoryEvent> all = Events.all(worker.turn(instance).getOrchestratorRequest());

        List<Instant> times = Events.of(all, EventTypeCase.ORCHESTRATORSTARTED).stream()
                .map(event -> Wire.instant(event.getTimestamp()))
                .toList();
        assertThat(times).hasSize(12).isSorted();
        assertThat(all).allSatisfy(event -> assertThat(event.hasTimestamp()).isTrue());
    }

    @Test
    void each_turn_sees_the_past_as_the_turns_before_saw_it() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "0"));
        List<OrchestratorRequest> turns = new ArrayList<>();
        for (int i = 1; i < 5; i++) {
            worker.complete(worker.activity(instance), "" + i);
            turns.add(worker.decide(instance, task(i, activity, "" + i)));
        }

        for (int i = 1; i < turns.size(); i++) {
            List<HistoryEvent> seen = new ArrayList<>(turns.get(i - 1).getPastEventsList());
            seen.addAll(turns.get(i - 1).getNewEventsList());
            assertThat(turns.get(i).getPastEventsList().subList(0, seen.size())).isEqualTo(seen);
        }
    }

    @Test
    void the_history_of_an_ended_instance_is_streamed_whole() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "in"));
        worker.complete(worker.activity(instance), "out");
        OrchestratorRequest last = worker.decide(instance, completed(1, "42"));
        client.awaitEnd(instance);

        List<HistoryEvent> history = client.history(instance);

        assertThat(history).startsWith(last.getPastEventsList().toArray(HistoryEvent[]::new));
        assertThat(Events.kinds(history))
                .containsExactly(
                        EventTypeCase.ORCHESTRATORSTARTED,
                        EventTypeCase.EXECUTIONSTARTED,
                        EventTypeCase.TASKSCHEDULED,
                        EventTypeCase.ORCHESTRATORSTARTED,
                        EventTypeCase.TASKCOMPLETED,
                        EventTypeCase.EXECUTIONCOMPLETED);
        assertThat(Events.only(history, EventTypeCase.EXECUTIONCOMPLETED)
                        .getExecutionCompleted()
                        .getResult())
                .isEqualTo(Wire.text("42"));
    }

    @Test
    void an_instance_that_has_not_begun_has_no_history_and_an_unknown_one_is_not_there() {
        String pending = client.start(name, "1");

        assertThat(client.history(pending)).isEmpty();
        Refusals.assertRefused(Code.NOT_FOUND, () -> client.history("nobody"), "'nobody'");
        Refusals.assertRefused(Code.INVALID_ARGUMENT, () -> client.history("a/b"), "instanceId");
    }

    @Test
    void events_that_a_worker_has_not_taken_come_again() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem held = turnOf(worker, instance, 3);

        worker.complete(held, Answers.having(Answers.answer(), 2));

        assertThat(eventNames(held)).containsExactly("n0", "n1", "n2");
        WorkItem next = worker.turn(instance);
        assertThat(eventNames(next)).containsExactly("n1", "n2");
        assertThat(Events.of(next.getOrchestratorRequest().getPastEventsList(), EventTypeCase.EVENTRAISED))
                .hasSize(1);
    }

    @Test
    void a_worker_must_take_what_begins_a_turn() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        Refusals.assertRefused(
                Code.INVALID_ARGUMENT,
                () -> worker.complete(turn, Answers.having(Answers.answer(), 1)),
                "numEventsProcessed",
                "at least 2",
                "was 1");
    }

    @Test
    void a_worker_that_counts_more_events_than_there_were_has_taken_all() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");

        worker.complete(worker.turn(instance), Answers.having(Answers.answer(completed(0, "42")), 99));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    /** A turn with so many events: raised while the turn before it is locked, so that one fetch finds them all. */
    private WorkItem turnOf(ScriptedWorker worker, String instance, int events) {
        WorkItem first = worker.turn(instance);
        for (int i = 0; i < events; i++) {
            client.raise(instance, "n" + i, "1");
        }
        worker.complete(first);
        return worker.turn(instance);
    }

    private static List<String> eventNames(WorkItem turn) {
        return Events.of(turn.getOrchestratorRequest().getNewEventsList(), EventTypeCase.EVENTRAISED).stream()
                .map(event -> event.getEventRaised().getName())
                .toList();
    }
}
