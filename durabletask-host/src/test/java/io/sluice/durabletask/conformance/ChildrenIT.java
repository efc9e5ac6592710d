package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sub-orchestrations. */
class ChildrenIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String kidName = unique("Kid");
    private final String kid = unique("kid");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takes(kidName).connect();
    }

    private static TaskFailureDetails failureIn(WorkItem turn) {
        return Events.only(turn, EventTypeCase.SUBORCHESTRATIONINSTANCEFAILED)
                .getSubOrchestrationInstanceFailed()
                .getFailureDetails();
    }

    @Test
    void a_child_knows_its_parent_and_the_parent_gets_its_output() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        OrchestratorAction.Builder action = child(5, kid, kidName).toBuilder();
        action.getCreateSubOrchestrationBuilder()
                .setInput(Wire.text("in"))
                .setVersion(Wire.text("2"))
                .putTags("tenant", "a");
        OrchestratorRequest first = worker.decide(parent, action.build());

        ExecutionStartedEvent started = Events.started(worker.decide(kid, completed(0, "out")));
        WorkItem turn = worker.turn(parent);

        assertThat(started.getInput()).isEqualTo(Wire.text("in"));
        assertThat(started.getVersion()).isEqualTo(Wire.text("2"));
        assertThat(started.getTagsMap()).containsEntry("tenant", "a");
        assertThat(started.getParentInstance().getTaskScheduledId()).isEqualTo(5);
        assertThat(started.getParentInstance().getName()).isEqualTo(Wire.text(name));
        assertThat(started.getParentInstance().getOrchestrationInstance().getInstanceId())
                .isEqualTo(parent);
        assertThat(started.getParentInstance().getOrchestrationInstance().getExecutionId())
                .isEqualTo(first.getExecutionId());
        var result = Events.only(turn, EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED)
                .getSubOrchestrationInstanceCompleted();
        assertThat(result.getTaskScheduledId()).isEqualTo(5);
        assertThat(result.getResult()).isEqualTo(Wire.text("out"));
        assertThat(client.state(kid).getParentInstanceId()).isEqualTo(Wire.text(parent));
    }

    @Test
    void a_child_without_an_id_gets_one_from_its_parent_and_its_action() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");

        worker.decide(parent, child(10, "", kidName));

        worker.decide(parent + ":000a", completed(0, "out"));
        assertThat(Events.newKinds(worker.turn(parent))).contains(EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED);
    }

    @Test
    void a_child_that_fails_fails_for_its_parent_with_its_details() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, kidName));
        worker.decide(kid, failed(0, "Boom", "bad luck"));

        TaskFailureDetails failure = failureIn(worker.turn(parent));

        assertThat(failure.getErrorType()).isEqualTo("Boom");
        assertThat(failure.getErrorMessage()).isEqualTo("bad luck");
        assertThat(failure.getIsNonRetriable()).isTrue();
    }

    @Test
    void a_child_that_is_terminated_fails_for_its_parent() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, kidName));
        worker.decide(kid);
        client.terminate(kid, "enough", false);
        worker.decide(kid, terminated(0, "enough"));

        assertThat(failureIn(worker.turn(parent)).getErrorMessage()).contains(kid, "terminated", "enough");
    }

    @Test
    void a_child_that_is_tried_again_under_its_id_begins_anew() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, kidName));
        OrchestratorRequest first = worker.decide(kid, failed(0, "Boom", "bad luck"));
        worker.decide(parent, child(1, kid, kidName));

        OrchestratorRequest again = worker.decide(kid, completed(0, "out"));

        assertThat(again.getPastEventsList()).isEmpty();
        assertThat(again.getExecutionId()).isNotEqualTo(first.getExecutionId());
        var result = Events.only(worker.turn(parent), EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED)
                .getSubOrchestrationInstanceCompleted();
        assertThat(result.getTaskScheduledId()).isEqualTo(1);
        assertThat(client.status(kid)).isEqualTo(ORCHESTRATION_STATUS_COMPLETED);
    }

    @Test
    void a_child_under_the_id_of_a_running_instance_fails() {
        ScriptedWorker worker = worker();
        String running = client.start(kidName, "1");
        worker.decide(running);
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, running, kidName));

        assertThat(failureIn(worker.turn(parent)).getErrorMessage()).contains(running, "running already");
        assertThat(worker.turn(running, java.time.Duration.ofMillis(300)))
                .as("who runs already is told nothing")
                .isEmpty();
    }

    @Test
    void a_child_under_an_id_that_no_instance_can_have_fails() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, "a/b", kidName));

        TaskFailureDetails failure = failureIn(worker.turn(parent));

        assertThat(failure.getErrorMessage()).contains("a/b");
        assertThat(failure.getIsNonRetriable()).isTrue();
    }

    @Test
    void a_child_whose_name_nobody_takes_waits_and_others_go_on() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, unique("Unknown")));

        String other = client.start(name, "2");
        worker.decide(other, completed(0, "42"));

        assertThat(client.awaitEnd(other).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(client.get(kid).getExists())
                .as("its start lies in its queue, as the start of any child does until its first turn")
                .isFalse();
        assertThat(client.status(parent)).isNotEqualTo(ORCHESTRATION_STATUS_PENDING);
    }

    @Test
    void children_of_one_turn_run_side_by_side_and_all_come_back() {
        ScriptedWorker worker = worker();
        worker.orchestrates(kidName, turn -> io.sluice.durabletask.turn.Answers.answer(completed(0, "out")));
        worker.orchestrates(name, Scripts.fanOutToChildren(kidName, 20));
        String parent = client.start(name, "1");

        assertThat(client.awaitEnd(parent).getOutput()).isEqualTo(Wire.text("20"));
    }

    @Test
    void a_child_keeps_its_parent_through_a_continuation() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, kidName));
        worker.decide(kid, io.sluice.durabletask.turn.Answers.continued(0, "2"));
        worker.decide(kid, completed(0, "out"));

        assertThat(Events.newKinds(worker.turn(parent))).contains(EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED);
        assertThat(client.state(kid).getParentInstanceId()).isEqualTo(Wire.text(parent));
    }
}
