package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Late answers of workers whose SDK sends no completion tokens. */
class OldWorkersIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takesActivity(name).connect();
    }

    private static void answerWithoutToken(ScriptedWorker worker, String instance, OrchestratorAction... actions) {
        var unused = worker.stub()
                .completeOrchestratorTask(
                        answer(actions).toBuilder().setInstanceId(instance).build());
    }

    private static void answerWithoutToken(ScriptedWorker worker, WorkItem activity, String result) {
        var unused = worker.stub()
                .completeActivityTask(ActivityResponse.newBuilder()
                        .setInstanceId(activity.getActivityRequest()
                                .getOrchestrationInstance()
                                .getInstanceId())
                        .setTaskId(activity.getActivityRequest().getTaskId())
                        .setResult(Wire.text(result))
                        .build());
    }

    @Test
    void a_late_answer_to_a_turn_is_not_taken_for_that_of_the_worker_that_has_it_now() {
        ScriptedWorker first = worker();
        String instance = client.start(name, "1");
        first.turn(instance);
        first.breakStream();
        client.raise(instance, "approve", "yes");
        ScriptedWorker second = worker();
        WorkItem turn = second.turn(instance);
        assertThat(Events.newKinds(turn)).contains(EventTypeCase.EVENTRAISED);

        answerWithoutToken(first, instance);
        answerWithoutToken(second, instance, completed(0, "approved"));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("approved"));
    }

    @Test
    void a_late_answer_by_the_same_connection_is_not_taken_for_the_turn_that_came_after() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.turn(instance);
        worker.breakStream();
        client.raise(instance, "approve", "yes");
        worker.connect();
        assertThat(Events.newKinds(worker.turn(instance))).contains(EventTypeCase.EVENTRAISED);

        answerWithoutToken(worker, instance);
        answerWithoutToken(worker, instance, completed(0, "may be for the first"));

        assertThat(Events.newKinds(worker.turn(instance))).contains(EventTypeCase.EVENTRAISED);
        answerWithoutToken(worker, instance, completed(0, "approved"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("approved"));
    }

    @Test
    void a_late_result_is_not_taken_for_the_activity_of_the_execution_after() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "customer-1");
        worker.decide(instance, task(0, name, "customer-1"));
        WorkItem early = worker.activity(instance);
        client.raise(instance, "timeout", "");
        worker.decide(instance, continued(1, "customer-2"));
        worker.decide(instance, task(0, name, "customer-2"));
        WorkItem late = worker.activity(instance);

        answerWithoutToken(worker, early, "charged customer-1");
        answerWithoutToken(worker, late, "may be customer-1's");

        WorkItem again = worker.activity(instance);
        assertThat(again.getActivityRequest().getInput()).isEqualTo(Wire.text("customer-2"));
        answerWithoutToken(worker, again, "charged customer-2");
        assertThat(Events.only(worker.turn(instance), EventTypeCase.TASKCOMPLETED)
                        .getTaskCompleted()
                        .getResult())
                .isEqualTo(Wire.text("charged customer-2"));
    }
}
