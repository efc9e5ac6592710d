package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import io.grpc.Status;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures with many inner failures: SDKs read a hundred levels of a message, what is around a failure included. */
class DeepFailuresIT {
    private static final int KEPT = 32;
    /** An entry of the map and a value, then a list and a value each time: 50 levels. */
    private static final int MOST_VALUES = 25;

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private static TaskFailureDetails failureOf(int levels) {
        return around(level(levels).build(), levels - 1);
    }

    private static TaskFailureDetails around(TaskFailureDetails inner, int levels) {
        TaskFailureDetails failure = inner;
        for (int level = levels; level > 0; level--) {
            failure = level(level).setInnerFailure(failure).build();
        }
        return failure;
    }

    private static TaskFailureDetails.Builder level(int level) {
        return TaskFailureDetails.newBuilder().setErrorType("Boom").setErrorMessage("level " + level);
    }

    private static List<String> messages(TaskFailureDetails failure) {
        List<String> messages = new ArrayList<>();
        TaskFailureDetails at = failure;
        messages.add(at.getErrorMessage());
        while (at.hasInnerFailure()) {
            at = at.getInnerFailure();
            messages.add(at.getErrorMessage());
        }
        return messages;
    }

    private static void assertCut(TaskFailureDetails failure, int levels) {
        List<String> messages = messages(failure);
        assertThat(messages).hasSize(Math.min(levels, KEPT)).startsWith("level 1", "level 2");
        if (levels > KEPT) {
            assertThat(messages.get(KEPT - 1))
                    .isEqualTo("level 32… (cut: had " + levels + " levels of inner failures)");
        } else {
            assertThat(failure).isEqualTo(failureOf(levels));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 33, 101, 400})
    void an_activity_s_failure_reaches_the_orchestration_as_far_as_it_can_be_read(int levels) {
        ScriptedWorker worker = host.worker().takes(name).takesActivity(name).connect();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, name, "1"));

        fail(worker, worker.activity(instance), failureOf(levels));

        WorkItem turn = worker.turn(instance);
        assertCut(Events.only(turn, EventTypeCase.TASKFAILED).getTaskFailed().getFailureDetails(), levels);
        worker.complete(turn, ending(failureOf(levels)));
        assertCut(client.awaitEnd(instance).getFailureDetails(), levels);
        assertCut(
                Events.only(client.history(instance), EventTypeCase.EXECUTIONCOMPLETED)
                        .getExecutionCompleted()
                        .getFailureDetails(),
                levels);
        assertThat(worker.ended()).isNotDone();
    }

    private static void fail(ScriptedWorker worker, WorkItem activity, TaskFailureDetails failure) {
        var unused = worker.stub()
                .completeActivityTask(ScriptedWorker.answerTo(
                        activity,
                        ActivityResponse.newBuilder().setFailureDetails(failure).build()));
    }

    private static OrchestratorAction ending(TaskFailureDetails failure) {
        OrchestratorAction.Builder action = failed(0, "Boom", "").toBuilder();
        action.getCompleteOrchestrationBuilder().setFailureDetails(failure);
        return action.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {98, 400})
    void a_child_s_failure_reaches_its_parent_as_far_as_it_can_be_read(int levels) {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String parent = client.start(name, "1");
        String kid = unique("kid");
        worker.decide(parent, child(0, kid, name));

        worker.decide(kid, ending(failureOf(levels)));

        assertCut(
                Events.only(worker.turn(parent), EventTypeCase.SUBORCHESTRATIONINSTANCEFAILED)
                        .getSubOrchestrationInstanceFailed()
                        .getFailureDetails(),
                levels);
    }

    @ParameterizedTest
    @ValueSource(ints = {MOST_VALUES, MOST_VALUES + 1, 60})
    void properties_that_nest_too_deep_are_left_out(int values) {
        ScriptedWorker worker = host.worker().takes(name).takesActivity(name).connect();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, name, "1"));
        TaskFailureDetails innermost =
                level(KEPT).putProperties("deep", nested(values)).build();
        TaskFailureDetails failure = around(innermost, KEPT - 1);

        fail(worker, worker.activity(instance), failure);

        TaskFailureDetails received = Events.only(worker.turn(instance), EventTypeCase.TASKFAILED)
                .getTaskFailed()
                .getFailureDetails();
        assertThat(received)
                .isEqualTo(
                        values == MOST_VALUES
                                ? failure
                                : around(
                                        level(KEPT)
                                                .setErrorMessage(
                                                        "level 32… (cut: had properties of more than 50 levels)")
                                                .build(),
                                        KEPT - 1));
    }

    private static Value nested(int values) {
        Value value = Value.newBuilder().setBoolValue(true).build();
        for (int level = 1; level < values; level++) {
            value = Value.newBuilder()
                    .setListValue(ListValue.newBuilder().addValues(value))
                    .build();
        }
        return value;
    }

    @Test
    void a_message_that_no_sdk_could_read_is_refused() {
        UnknownFieldSet groups = UnknownFieldSet.getDefaultInstance();
        for (int level = 0; level < 95; level++) {
            groups = UnknownFieldSet.newBuilder()
                    .addField(
                            99,
                            UnknownFieldSet.Field.newBuilder().addGroup(groups).build())
                    .build();
        }
        StringValue deep =
                StringValue.newBuilder().setValue("1").setUnknownFields(groups).build();

        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                () -> client.start(HubClient.request(name).setInput(deep)),
                "executionStarted: has more than 90 levels");
    }
}
