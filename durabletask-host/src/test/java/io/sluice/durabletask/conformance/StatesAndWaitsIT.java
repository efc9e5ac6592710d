package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.HubClient.with;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_PENDING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Value;
import io.grpc.Status.Code;
import io.sluice.durabletask.turn.Answers;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.CosmosEmulator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances as clients see them, and clients that wait for them. */
class StatesAndWaitsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private Future<GetInstanceResponse> waitForEnd(String instance) {
        return TaskHubSidecarServiceGrpc.newFutureStub(client.channel())
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .waitForInstanceCompletion(with(instance));
    }

    private static GetInstanceResponse get(Future<GetInstanceResponse> waiting) {
        try {
            return waiting.get(ScriptedWorker.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("a wait has not been answered", e);
        }
    }

    private static long awaited() {
        return host.host().hub().waits().count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody", "", "a/b", "a?b#c", "a "})
    void an_unknown_instance_does_not_exist(String instance) {
        GetInstanceResponse response = client.get(instance);

        assertThat(response.getExists()).isFalse();
        assertThat(response.hasOrchestrationState()).isFalse();
    }

    @Test
    void an_instance_that_waits_for_its_first_turn_shows_its_input() {
        String instance = client.start(name, "in");

        assertThat(client.state(instance).getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_PENDING);
        assertThat(client.state(instance).getInput()).isEqualTo(Wire.text("in"));
    }

    @Test
    void input_and_output_are_read_without_the_history() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(name, "in");
        String large = "x".repeat(1_000_000);
        worker.decide(instance);
        for (int i = 0; i < 2; i++) {
            client.raise(instance, "go", large);
            worker.decide(instance);
        }
        client.raise(instance, "go", "1");
        worker.decide(instance, completed(0, "out"));
        client.awaitEnd(instance);
        CosmosEmulator emulator = host.emulator();
        emulator.requests().clear();

        OrchestrationState state = client.state(instance);

        assertThat(state.getInput()).isEqualTo(Wire.text("in"));
        assertThat(state.getOutput()).isEqualTo(Wire.text("out"));
        assertThat(emulator.requests()
                        .matching(request -> request.operation().isData()
                                && request.partitionKey() != null
                                && request.partitionKey().contains(instance)))
                .as("the instance, and its first event")
                .hasSize(2);
    }

    @Test
    void payloads_are_shown_to_those_who_ask_for_them() {
        String instance = client.start(name, "in");
        ScriptedWorker worker = host.worker().takes(name).connect();
        worker.complete(worker.turn(instance), withStatus(answer(completed(0, "out")), "all done"));

        OrchestrationState full = client.awaitEnd(instance);
        OrchestrationState slim = client.stub()
                .getInstance(
                        GetInstanceRequest.newBuilder().setInstanceId(instance).build())
                .getOrchestrationState();

        assertThat(full.getInput()).isEqualTo(Wire.text("in"));
        assertThat(full.getOutput()).isEqualTo(Wire.text("out"));
        assertThat(full.getCustomStatus()).isEqualTo(Wire.text("all done"));
        assertThat(slim.hasInput()).isFalse();
        assertThat(slim.hasOutput()).isFalse();
        assertThat(slim.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_COMPLETED);
    }

    @Test
    void times_of_an_instance_follow_its_life() {
        String instance = client.start(name, "1");
        ScriptedWorker worker = host.worker().takes(name).connect();
        worker.decide(instance);
        OrchestrationState running = client.awaitStart(instance);
        client.raise(instance, "go", "1");
        worker.decide(instance, completed(0, "42"));
        OrchestrationState ended = client.awaitEnd(instance);

        assertThat(running.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
        assertThat(running.hasCompletedTimestamp()).isFalse();
        assertThat(ended.getCreatedTimestamp()).isEqualTo(running.getCreatedTimestamp());
        assertThat(Wire.instant(ended.getLastUpdatedTimestamp()))
                .isAfterOrEqualTo(Wire.instant(running.getLastUpdatedTimestamp()));
        assertThat(Wire.instant(ended.getCompletedTimestamp()))
                .isAfterOrEqualTo(Wire.instant(ended.getCreatedTimestamp()));
    }

    @Test
    void a_failure_is_shown_with_all_its_details() {
        String instance = client.start(name, "1");
        var action = Answers.failed(0, "Boom", "bad luck").toBuilder();
        var failure = action.getCompleteOrchestrationBuilder().getFailureDetailsBuilder();
        failure.setStackTrace(Wire.text("at here"))
                .putProperties("code", Value.newBuilder().setNumberValue(7).build());
        failure.getInnerFailureBuilder().setErrorType("Cause").setErrorMessage("worse luck");
        host.worker().takes(name).connect().decide(instance, action.build());

        OrchestrationState state = client.awaitEnd(instance);

        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_FAILED);
        assertThat(state.getFailureDetails()).isEqualTo(failure.build());
        assertThat(state.hasOutput()).isFalse();
    }

    @Test
    void a_custom_status_shows_while_the_instance_runs_and_stays_when_a_turn_says_none() {
        String instance = client.start(name, "1");
        ScriptedWorker worker = host.worker().takes(name).connect();
        worker.complete(worker.turn(instance), withStatus(answer(), "one"));
        String first = client.awaitStart(instance).getCustomStatus().getValue();
        client.raise(instance, "go", "1");
        worker.decide(instance);
        client.raise(instance, "go", "2");
        WorkItem third = worker.turn(instance);
        String second = client.state(instance).getCustomStatus().getValue();
        worker.complete(third, withStatus(answer(), "three"));

        assertThat(List.of(first, second)).containsExactly("one", "one");
        assertThat(client.state(instance).getCustomStatus().getValue()).isEqualTo("three");
    }

    @Test
    void a_custom_status_that_is_too_large_is_refused_and_the_turn_comes_again() {
        String instance = client.start(name, "1");
        ScriptedWorker worker = host.worker().takes(name).connect();
        WorkItem turn = worker.turn(instance);

        assertRefused(
                Code.RESOURCE_EXHAUSTED,
                () -> worker.complete(turn, withStatus(answer(), "x".repeat(300_000))),
                instance,
                "customStatus");

        worker.decide(instance, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void a_wait_for_the_start_ends_with_the_first_turn() {
        String instance = client.start(name, "1");
        Future<GetInstanceResponse> waiting =
                TaskHubSidecarServiceGrpc.newFutureStub(client.channel()).waitForInstanceStart(with(instance));
        await().until(() -> awaited() >= 1);
        boolean wasDone = waiting.isDone();

        host.worker().takes(name).connect().decide(instance);

        assertThat(wasDone).isFalse();
        assertThat(get(waiting).getOrchestrationState().getOrchestrationStatus())
                .isEqualTo(ORCHESTRATION_STATUS_RUNNING);
    }

    @Test
    void a_wait_for_the_end_of_an_ended_instance_ends_at_once() {
        String instance = client.start(name, "1");
        host.worker().takes(name).connect().decide(instance, completed(0, "42"));
        client.awaitEnd(instance);

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(client.awaitStart(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void a_wait_for_the_end_outlasts_a_continuation() {
        String instance = client.start(name, "1");
        ScriptedWorker worker = host.worker().takes(name).connect();
        Future<GetInstanceResponse> waiting = waitForEnd(instance);

        worker.decide(instance, continued(0, "2"));
        worker.decide(instance, continued(0, "3"));
        worker.decide(instance, completed(0, "42"));

        OrchestrationState state = get(waiting).getOrchestrationState();
        assertThat(state.getOutput()).isEqualTo(Wire.text("42"));
        assertThat(state.getInput()).isEqualTo(Wire.text("3"));
    }

    @Test
    void those_who_wait_for_an_unknown_instance_are_told_so() {
        assertThat(client.stub().waitForInstanceStart(with("nobody")).getExists())
                .isFalse();
        assertThat(client.stub().waitForInstanceCompletion(with("nobody")).getExists())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b"})
    void a_wait_for_an_id_that_no_instance_can_have_is_refused(String id) {
        assertRefused(Code.INVALID_ARGUMENT, () -> client.awaitStart(id), "instanceId");
        assertRefused(Code.INVALID_ARGUMENT, () -> client.awaitEnd(id), "instanceId");
    }

    @Test
    void a_hundred_wait_for_one_instance_and_cost_the_reads_of_one() {
        String instance = client.start(name, "1");
        ScriptedWorker worker = host.worker().takes(name).connect();
        worker.decide(instance);
        client.awaitStart(instance);
        host.emulator().requests().clear();

        List<Future<GetInstanceResponse>> waiting =
                IntStream.range(0, 100).mapToObj(i -> waitForEnd(instance)).toList();
        client.raise(instance, "go", "1");
        worker.decide(instance, completed(0, "42"));

        assertThat(waiting)
                .allSatisfy(each -> assertThat(get(each).getOrchestrationState().getOutput())
                        .isEqualTo(Wire.text("42")));
        long reads = host.emulator()
                .requests()
                .matching(request -> instance.equals(request.itemId()))
                .count();
        assertThat(reads).as("looks at the instance").isLessThan(150);
    }

    @Test
    void a_wait_that_a_client_gives_up_is_forgotten() {
        String instance = client.start(name, "1");

        assertRefused(
                Code.DEADLINE_EXCEEDED,
                () -> client.stub()
                        .withDeadlineAfter(200, TimeUnit.MILLISECONDS)
                        .waitForInstanceCompletion(with(instance)));
        Future<GetInstanceResponse> cancelled = waitForEnd(instance);
        cancelled.cancel(true);

        await().untilAsserted(() -> assertThat(awaited()).isZero());
    }

    @Test
    void a_wait_is_answered_when_another_host_ends_the_instance() {
        OpenHost other = host.another();
        String instance = client.start(name, "1");
        Future<GetInstanceResponse> waiting = waitForEnd(instance);

        other.worker().takes(name).connect().decide(instance, completed(0, "42"));

        assertThat(get(waiting).getOrchestrationState().getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void a_wait_ends_when_the_instance_is_removed() {
        String instance = client.start(request(name));
        Future<GetInstanceResponse> waiting = waitForEnd(instance);
        await().until(() -> awaited() >= 1);

        host.host().provider().asManagementCapability().orElseThrow().deleteInstancesAtomic(List.of(instance), true);

        assertThat(get(waiting).getExists()).isFalse();
    }
}
