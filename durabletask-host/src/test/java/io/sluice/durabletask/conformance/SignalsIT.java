package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.RaiseEventRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients tell instances: events, suspension, termination. */
class SignalsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    /** An instance that waits for something. */
    private String running(ScriptedWorker worker) {
        String instance = client.start(name, "1");
        worker.decide(instance);
        client.awaitStart(instance);
        return instance;
    }

    private ScriptedWorker worker() {
        return host.worker().takes(name).connect();
    }

    @Test
    void an_event_reaches_the_instance_with_its_name_and_data() {
        ScriptedWorker worker = worker();
        String instance = running(worker);

        client.raise(instance, "paid ✓", "{\"by\": \"card\"}");

        HistoryEvent event = Events.only(worker.turn(instance), EventTypeCase.EVENTRAISED);
        assertThat(event.getEventId()).isEqualTo(-1);
        assertThat(event.getEventRaised().getName()).isEqualTo("paid ✓");
        assertThat(event.getEventRaised().getInput()).isEqualTo(Wire.text("{\"by\": \"card\"}"));
    }

    @Test
    void what_comes_while_a_worker_has_a_turn_comes_with_the_next() {
        ScriptedWorker worker = worker();
        String instance = running(worker);
        client.raise(instance, "first", "1");
        WorkItem turn = worker.turn(instance);

        client.raise(instance, "second", "2");
        worker.complete(turn);

        assertThat(Events.only(worker.turn(instance), EventTypeCase.EVENTRAISED)
                        .getEventRaised()
                        .getName())
                .isEqualTo("second");
    }

    @Test
    void an_event_without_data_has_none() {
        ScriptedWorker worker = worker();
        String instance = running(worker);

        var unused = client.stub()
                .raiseEvent(RaiseEventRequest.newBuilder()
                        .setInstanceId(instance)
                        .setName("go")
                        .build());

        assertThat(Events.only(worker.turn(instance), EventTypeCase.EVENTRAISED)
                        .getEventRaised()
                        .hasInput())
                .isFalse();
    }

    @Test
    void events_of_one_client_come_once_each_and_in_their_order() {
        ScriptedWorker worker = worker();
        String instance = running(worker);
        List<String> sent = IntStream.range(0, 12).mapToObj(String::valueOf).toList();

        sent.forEach(data -> client.raise(instance, "n", data));

        List<String> got = new ArrayList<>();
        while (got.size() < sent.size()) {
            WorkItem turn = worker.turn(instance);
            Events.of(turn.getOrchestratorRequest().getNewEventsList(), EventTypeCase.EVENTRAISED)
                    .forEach(event -> got.add(event.getEventRaised().getInput().getValue()));
            worker.complete(turn);
        }
        assertThat(got).isEqualTo(sent);
    }

    @Test
    void an_event_to_an_instance_that_has_not_started_comes_after_its_start() {
        String instance = client.start(name, "1");
        client.raise(instance, "early", "1");

        WorkItem turn = worker().turn(instance);

        assertThat(Events.newKinds(turn))
                .containsExactly(
                        EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EVENTRAISED);
    }

    @Test
    void an_ended_instance_takes_nothing_more_which_is_no_error() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, completed(0, "42"));
        OrchestrationState ended = client.awaitEnd(instance);

        client.raise(instance, "late", "1");
        client.terminate(instance, "late", true);
        client.suspend(instance);
        client.resume(instance);

        assertThat(client.state(instance)).isEqualTo(ended);
        assertThat(worker.inbox().content()).isEmpty();
    }

    @Test
    void an_unknown_instance_can_be_told_nothing() {
        assertRefused(Code.NOT_FOUND, () -> client.raise("nobody", "go", "1"), "'nobody'");
        assertRefused(Code.NOT_FOUND, () -> client.suspend("nobody"), "'nobody'");
        assertRefused(Code.NOT_FOUND, () -> client.resume("nobody"), "'nobody'");
        assertRefused(Code.NOT_FOUND, () -> client.terminate("nobody", "enough", false), "'nobody'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a#b"})
    void an_id_that_no_instance_can_have_is_refused(String id) {
        assertRefused(Code.INVALID_ARGUMENT, () -> client.raise(id, "go", "1"), "instanceId");
        assertRefused(Code.INVALID_ARGUMENT, () -> client.suspend(id), "instanceId");
        assertRefused(Code.INVALID_ARGUMENT, () -> client.resume(id), "instanceId");
        assertRefused(Code.INVALID_ARGUMENT, () -> client.terminate(id, "enough", false), "instanceId");
    }

    @Test
    void an_event_must_have_a_name() {
        String instance = client.start(name, "1");

        assertRefused(Code.INVALID_ARGUMENT, () -> client.raise(instance, "", "1"), "name");
    }

    @Test
    void what_no_turn_could_take_is_refused() {
        String instance = client.start(name, "1");
        String large = "x".repeat(1_900_000);

        assertRefused(Code.RESOURCE_EXHAUSTED, () -> client.raise(instance, "go", large), "bytes");
        assertRefused(Code.RESOURCE_EXHAUSTED, () -> client.terminate(instance, large, false), "bytes");
    }

    @Test
    void a_suspended_instance_shows_as_such_and_is_still_told_what_happens() {
        ScriptedWorker worker = worker();
        worker.orchestrates(name, turn -> io.sluice.durabletask.turn.Answers.answer());
        String instance = client.start(name, "1");
        client.awaitStart(instance);

        client.suspend(instance);
        var suspended = client.status(instance);
        client.raise(instance, "go", "1");
        client.resume(instance);

        assertThat(suspended).isEqualTo(ORCHESTRATION_STATUS_SUSPENDED);
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
        assertThat(Events.kinds(client.history(instance)))
                .containsSubsequence(
                        EventTypeCase.EXECUTIONSUSPENDED, EventTypeCase.EVENTRAISED, EventTypeCase.EXECUTIONRESUMED);
    }

    @Test
    void suspension_and_resumption_bring_their_reasons() {
        ScriptedWorker worker = worker();
        String instance = running(worker);

        client.suspend(instance);
        HistoryEvent suspended = Events.only(worker.turn(instance), EventTypeCase.EXECUTIONSUSPENDED);

        assertThat(suspended.getExecutionSuspended().getInput()).isEqualTo(Wire.text("lunch"));
        assertThat(suspended.getEventId()).isEqualTo(-1);
    }

    @Test
    void who_suspends_without_a_worker_is_answered_and_it_takes_effect_later() {
        String instance = client.start(name, "1");

        client.suspend(instance);
        worker();

        assertThat(client.awaitStart(instance).getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_SUSPENDED);
    }

    @Test
    void what_is_suspended_twice_goes_on_when_it_is_resumed_once() {
        ScriptedWorker worker = worker();
        worker.orchestrates(name, turn -> io.sluice.durabletask.turn.Answers.answer());
        String instance = client.start(name, "1");
        client.awaitStart(instance);
        client.suspend(instance);
        client.suspend(instance);

        client.resume(instance);
        client.resume(instance);

        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
    }

    @Test
    void a_termination_reaches_the_worker_which_ends_the_instance() {
        ScriptedWorker worker = worker();
        String instance = running(worker);

        client.terminate(instance, "enough", true);

        WorkItem turn = worker.turn(instance);
        HistoryEvent event = Events.only(turn, EventTypeCase.EXECUTIONTERMINATED);
        assertThat(event.getExecutionTerminated().getInput()).isEqualTo(Wire.text("enough"));
        assertThat(event.getExecutionTerminated().getRecurse()).isTrue();
        worker.complete(turn, terminated(0, "enough"));
        OrchestrationState state = client.awaitEnd(instance);
        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
        assertThat(state.getOutput()).isEqualTo(Wire.text("enough"));
        assertThat(state.hasFailureDetails()).isFalse();
    }

    @Test
    void a_suspended_instance_can_be_terminated() {
        ScriptedWorker worker = worker();
        String instance = running(worker);
        client.suspend(instance);
        worker.decide(instance);

        client.terminate(instance, "enough", false);
        worker.decide(instance, terminated(0, "enough"));

        assertThat(client.awaitEnd(instance).getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
    }

    @Test
    void a_recursive_termination_reaches_children_and_theirs() {
        ScriptedWorker worker = worker();
        String parent = running(worker);
        String middle = unique("middle");
        String leaf = unique("leaf");
        client.raise(parent, "go", "1");
        worker.decide(parent, child(0, middle, name));
        worker.decide(middle, child(0, leaf, name));
        worker.decide(leaf);

        client.terminate(parent, "enough", true);
        worker.decide(parent, terminated(1, "enough"));
        WorkItem ofMiddle = worker.turn(middle);
        worker.complete(ofMiddle, terminated(1, "enough"));
        WorkItem ofLeaf = worker.turn(leaf);
        worker.complete(ofLeaf, terminated(0, "enough"));

        for (WorkItem turn : List.of(ofMiddle, ofLeaf)) {
            var told = Events.only(turn, EventTypeCase.EXECUTIONTERMINATED).getExecutionTerminated();
            assertThat(told.getRecurse()).isTrue();
            assertThat(told.getInput()).isEqualTo(Wire.text("enough"));
        }
        assertThat(client.awaitEnd(leaf).getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
    }

    @Test
    void a_termination_of_one_instance_alone_leaves_its_children_be() {
        ScriptedWorker worker = worker();
        String parent = client.start(request(name));
        String kid = unique("kid");
        worker.decide(parent, child(0, kid, name));
        worker.decide(kid);

        client.terminate(parent, "enough", false);
        worker.decide(parent, terminated(1, "enough"));
        client.awaitEnd(parent);
        client.raise(kid, "go", "1");
        WorkItem turn = worker.turn(kid);
        worker.complete(turn, completed(0, "42"));

        assertThat(Events.newKinds(turn)).doesNotContain(EventTypeCase.EXECUTIONTERMINATED);
        assertThat(client.awaitEnd(kid).getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_COMPLETED);
    }
}
