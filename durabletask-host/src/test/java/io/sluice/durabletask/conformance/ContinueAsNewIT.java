package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.raised;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.timer;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import io.sluice.testkit.seed.Tier;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that continue as new: what the next execution knows, and what is left behind. */
class ContinueAsNewIT {
    private static final int EVENTS = Tier.times(15, 60);
    private static final int EXECUTIONS = Tier.times(12, 100);

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takesActivity(activity).connect();
    }

    @Test
    void the_next_execution_begins_with_its_input_and_no_history() {
        ScriptedWorker worker = worker();
        String instance = client.start(request(name).setInput(Wire.text("1")).putTags("tenant", "a"));
        OrchestratorRequest first = worker.decide(instance, continued(0, "2"));

        OrchestratorRequest second = worker.turn(instance).getOrchestratorRequest();

        assertThat(second.getPastEventsList()).isEmpty();
        assertThat(Events.kinds(second.getNewEventsList()))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED);
        ExecutionStartedEvent started = Events.started(second);
        assertThat(started.getInput()).isEqualTo(Wire.text("2"));
        assertThat(started.getName()).isEqualTo(name);
        assertThat(started.getTagsMap()).containsEntry("tenant", "a");
        assertThat(second.getExecutionId()).isNotEqualTo(first.getExecutionId());
        assertThat(started.getOrchestrationInstance().getExecutionId()).isEqualTo(second.getExecutionId());
    }

    @Test
    void carried_events_come_with_the_start_in_their_order() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, continued(0, "2", raised("a", "1"), raised("b", "2")));

        List<HistoryEvent> events =
                worker.turn(instance).getOrchestratorRequest().getNewEventsList();

        assertThat(Events.of(events, EventTypeCase.EVENTRAISED))
                .extracting(event -> event.getEventRaised().getName())
                .containsExactly("a", "b");
        assertThat(events.get(1).hasExecutionStarted()).isTrue();
    }

    @Test
    void the_next_execution_may_have_another_version_and_other_tags() {
        ScriptedWorker worker = worker();
        String instance = client.start(request(name).setVersion(Wire.text("1")).putTags("tenant", "a"));
        OrchestratorAction.Builder action = continued(0, "2").toBuilder();
        action.getCompleteOrchestrationBuilder().setNewVersion(Wire.text("2")).putTags("tenant", "b");
        worker.decide(instance, action.build());

        ExecutionStartedEvent started = Events.started(worker.decide(instance));

        assertThat(started.getVersion()).isEqualTo(Wire.text("2"));
        assertThat(started.getTagsMap()).containsEntry("tenant", "b");
        assertThat(client.state(instance).getVersion()).isEqualTo(Wire.text("2"));
    }

    @Test
    void an_instance_runs_all_the_while() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, continued(0, "2"));
        WorkItem held = worker.turn(instance);

        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
        worker.complete(held);
        assertThat(client.state(instance).getInput()).isEqualTo(Wire.text("2"));
    }

    @Test
    void what_follows_a_continuation_in_the_same_answer_belongs_to_nobody() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, continued(0, "2"), task(1, activity, "in"));

        worker.decide(instance, completed(0, "42"));

        client.awaitEnd(instance);
        assertThat(worker.inbox().content()).isEmpty();
    }

    @Test
    void a_result_that_an_earlier_execution_awaited_is_none_of_the_next_ones_business() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "of the first"));
        WorkItem late = worker.activity(instance);
        client.raise(instance, "go", "1");
        worker.decide(instance, continued(1, "2"));
        worker.decide(instance, task(0, activity, "of the second"));
        WorkItem mine = worker.activity(instance);

        worker.complete(late, "stale");
        worker.complete(mine, "fresh");

        HistoryEvent result = Events.only(worker.turn(instance), EventTypeCase.TASKCOMPLETED);
        assertThat(result.getTaskCompleted().getResult()).isEqualTo(Wire.text("fresh"));
    }

    @Test
    void a_timer_of_an_earlier_execution_does_not_fire_in_the_next() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        Instant due = Instant.now().plusMillis(500);
        worker.decide(instance, timer(0, due.toString()));
        client.raise(instance, "go", "1");
        worker.decide(instance, continued(1, "2"));
        worker.decide(instance, timer(0, due.plusMillis(600).toString()));

        HistoryEvent fired = Events.only(worker.turn(instance), EventTypeCase.TIMERFIRED);

        assertThat(Wire.instant(fired.getTimerFired().getFireAt())).isEqualTo(due.plusMillis(600));
    }

    @Test
    void what_comes_while_a_worker_continues_an_instance_comes_to_the_next_execution() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        client.raise(instance, "go", "1");
        worker.complete(turn, continued(0, "2"));

        WorkItem next = worker.turn(instance);
        assertThat(Events.newKinds(next))
                .containsExactly(
                        EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EVENTRAISED);
    }

    @Test
    void no_event_is_lost_between_executions() {
        Set<String> seen = Collections.synchronizedSet(new HashSet<>());
        ScriptedWorker worker = host.worker();
        worker.orchestrates(name, turn -> {
                    List<HistoryEvent> raised = Events.of(turn.getNewEventsList(), EventTypeCase.EVENTRAISED);
                    raised.forEach(
                            event -> seen.add(event.getEventRaised().getInput().getValue()));
                    if (seen.size() == EVENTS) {
                        return answer(completed(0, "all"));
                    }
                    return raised.isEmpty() ? answer() : answer(continued(0, "next"));
                })
                .connect();
        String instance = client.start(name, "1");
        client.awaitStart(instance);

        IntStream.range(0, EVENTS).forEach(i -> client.raise(instance, "n", "" + i));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("all"));
    }

    @Test
    void many_executions_follow_each_other() {
        ScriptedWorker worker = host.worker();
        worker.orchestrates(name, turn -> {
                    int n = Integer.parseInt(Events.started(turn).getInput().getValue());
                    return answer(n < EXECUTIONS ? continued(0, "" + (n + 1)) : completed(0, "" + n));
                })
                .connect();

        String instance = client.start(name, "1");

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("" + EXECUTIONS));
    }
}
