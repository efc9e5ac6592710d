package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Empty;
import io.grpc.Status.Code;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.RestartInstanceRequest;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc.TaskHubSidecarServiceBlockingStub;
import io.sluice.durabletask.wire.Wire;
import io.sluice.testkit.seed.Tier;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Restarts, ends without a worker, and what this host does not offer. */
class OperatorsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private ScriptedWorker worker() {
        return host.worker().takes(name).connect();
    }

    private String restart(String instance, boolean underNewId) {
        return client.stub()
                .restartInstance(RestartInstanceRequest.newBuilder()
                        .setInstanceId(instance)
                        .setRestartWithNewInstanceId(underNewId)
                        .build())
                .getInstanceId();
    }

    private List<String> end(String... ids) {
        SkipGracefulOrchestrationTerminationsRequest.Builder request =
                SkipGracefulOrchestrationTerminationsRequest.newBuilder().setReason(Wire.text("out of order"));
        request.getInstanceBatchBuilder().addAllInstanceIds(List.of(ids));
        return List.copyOf(client.stub()
                .skipGracefulOrchestrationTerminations(request.build())
                .getUnterminatedInstanceIdsList());
    }

    @Test
    void the_host_says_hello() {
        assertThat(client.stub().hello(Empty.getDefaultInstance())).isEqualTo(Empty.getDefaultInstance());
    }

    @Test
    void a_restarted_instance_begins_anew_under_its_id_with_all_that_it_had() {
        ScriptedWorker worker = worker();
        String instance = client.start(request(name)
                .setInput(Wire.text("in"))
                .setVersion(Wire.text("2"))
                .putTags("tenant", "a"));
        var first = worker.decide(instance, completed(0, "42"));
        client.awaitEnd(instance);

        String id = restart(instance, false);

        assertThat(id).isEqualTo(instance);
        WorkItem turn = worker.turn(instance);
        ExecutionStartedEvent started = Events.started(turn.getOrchestratorRequest());
        assertThat(turn.getOrchestratorRequest().getPastEventsList()).isEmpty();
        assertThat(turn.getOrchestratorRequest().getExecutionId()).isNotEqualTo(first.getExecutionId());
        assertThat(started.getInput()).isEqualTo(Wire.text("in"));
        assertThat(started.getVersion()).isEqualTo(Wire.text("2"));
        assertThat(started.getTagsMap()).containsEntry("tenant", "a");
    }

    @Test
    void an_instance_may_be_restarted_beside_itself() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "in");
        worker.decide(instance, completed(0, "42"));
        client.awaitEnd(instance);

        String id = restart(instance, true);

        assertThat(id).matches("[0-9a-f]{32}");
        assertThat(Events.started(worker.decide(id, completed(0, "43"))).getInput())
                .isEqualTo(Wire.text("in"));
        assertThat(client.state(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void what_has_not_ended_is_not_restarted() {
        String pending = client.start(name, "1");

        assertRefused(Code.FAILED_PRECONDITION, () -> restart(pending, false), pending, "has not ended");
        worker().decide(pending);
        client.awaitStart(pending);
        assertRefused(Code.FAILED_PRECONDITION, () -> restart(pending, false), pending, "has not ended");
        assertRefused(Code.NOT_FOUND, () -> restart("nobody", false), "nobody");
        assertRefused(Code.INVALID_ARGUMENT, () -> restart("", false), "instanceId");
    }

    @Test
    void an_instance_is_ended_without_a_worker() {
        String instance = client.start(name, "1");
        worker().decide(instance);
        client.awaitStart(instance);
        host.host().closeWorkers();

        assertThat(end(instance)).isEmpty();

        OrchestrationState state = client.awaitEnd(instance);
        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
        assertThat(state.getOutput()).isEqualTo(Wire.text("out of order"));
        assertThat(state.hasCompletedTimestamp()).isTrue();
        assertThat(Events.kinds(client.history(instance))).contains(EventTypeCase.EXECUTIONTERMINATED);
    }

    @Test
    void an_instance_that_no_worker_has_ever_seen_is_ended() {
        String instance = client.start(name, "1");

        assertThat(end(instance)).isEmpty();
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
        assertThat(client.state(instance).getName()).isEqualTo(name);
    }

    @Test
    void an_instance_whose_start_is_put_off_is_ended_or_named() {
        String instance = client.start(request(name)
                .setScheduledStartTimestamp(Wire.timestamp(Instant.now().plusSeconds(3_600))));

        List<String> left = end(instance);

        boolean ended = client.status(instance) == ORCHESTRATION_STATUS_TERMINATED;
        assertThat(left).isEqualTo(ended ? List.of() : List.of(instance));
    }

    @Test
    void an_instance_that_a_worker_has_is_named_and_told_the_usual_way() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        assertThat(end(instance)).containsExactly(instance);

        worker.complete(turn);
        var told = Events.only(worker.turn(instance), EventTypeCase.EXECUTIONTERMINATED)
                .getExecutionTerminated();
        assertThat(told.getInput()).isEqualTo(Wire.text("out of order"));
    }

    @Test
    void ended_and_unknown_instances_need_no_end() {
        String instance = client.start(name, "1");
        worker().decide(instance, completed(0, "42"));
        client.awaitEnd(instance);

        assertThat(end(instance, "nobody")).isEmpty();
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_COMPLETED);
    }

    @Test
    void a_parent_hears_of_the_end_of_its_child() {
        String kidName = unique("Kid");
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        String kid = unique("kid");
        worker.decide(parent, child(0, kid, kidName));
        ScriptedWorker itsWorker = host.worker().takes(kidName).connect();
        itsWorker.decide(kid);
        client.awaitStart(kid);
        itsWorker.close();
        await().until(() -> host.host().hub().workers().count() == 1);

        assertThat(end(kid)).isEmpty();

        assertThat(Events.newKinds(worker.turn(parent))).contains(EventTypeCase.SUBORCHESTRATIONINSTANCEFAILED);
    }

    /** What looks for work with the worker that has left takes some of them, and gives them back. */
    @Test
    void instances_whose_worker_has_just_left_are_ended_while_others_look_for_work() {
        worker();
        String other = unique("Other");
        ScriptedWorker leaving = host.worker().takes(other).connect();
        String[] instances = IntStream.range(0, Tier.times(10, 50))
                .mapToObj(i -> client.start(other, "1"))
                .peek(leaving::decide)
                .toArray(String[]::new);
        Stream.of(instances).forEach(client::awaitStart);
        leaving.close();
        await().until(() -> host.host().hub().workers().count() == 1);

        assertThat(end(instances)).isEmpty();
    }

    @Test
    void at_most_500_are_ended_by_one_request_and_each_id_must_be_one() {
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> end(IntStream.range(0, 501).mapToObj(i -> "i" + i).toArray(String[]::new)),
                "instanceBatch.instanceIds",
                "500");
        assertRefused(Code.INVALID_ARGUMENT, () -> end("a/b"), "instanceId");
    }

    @Test
    void an_activity_of_an_instance_that_was_ended_is_answered_in_vain() {
        String activity = unique("Ship");
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(activity).connect();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "in"));
        WorkItem item = worker.activity(instance);
        client.awaitStart(instance);
        worker.breakStream();
        await().until(() -> host.host().hub().workers().count() == 0);

        assertThat(end(instance)).isEmpty();
        worker.complete(item, "late");

        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
    }

    static Stream<Named<Consumer<TaskHubSidecarServiceBlockingStub>>> unoffered() {
        return Stream.of(
                Named.of("RewindInstance", stub -> {
                    var unused = stub.rewindInstance(
                            io.sluice.durabletask.wire.Protocol.RewindInstanceRequest.getDefaultInstance());
                }),
                Named.of("SignalEntity", stub -> {
                    var unused = stub.signalEntity(
                            io.sluice.durabletask.wire.Protocol.SignalEntityRequest.getDefaultInstance());
                }),
                Named.of("GetEntity", stub -> {
                    var unused =
                            stub.getEntity(io.sluice.durabletask.wire.Protocol.GetEntityRequest.getDefaultInstance());
                }),
                Named.of("QueryEntities", stub -> {
                    var unused = stub.queryEntities(
                            io.sluice.durabletask.wire.Protocol.QueryEntitiesRequest.getDefaultInstance());
                }),
                Named.of("CleanEntityStorage", stub -> {
                    var unused = stub.cleanEntityStorage(
                            io.sluice.durabletask.wire.Protocol.CleanEntityStorageRequest.getDefaultInstance());
                }),
                Named.of("CompleteEntityTask", stub -> {
                    var unused = stub.completeEntityTask(
                            io.sluice.durabletask.wire.Protocol.EntityBatchResult.getDefaultInstance());
                }),
                Named.of("AbandonTaskEntityWorkItem", stub -> {
                    var unused = stub.abandonTaskEntityWorkItem(
                            io.sluice.durabletask.wire.Protocol.AbandonEntityTaskRequest.getDefaultInstance());
                }));
    }

    @ParameterizedTest
    @MethodSource("unoffered")
    void what_this_host_does_not_offer_is_unimplemented(Consumer<TaskHubSidecarServiceBlockingStub> call) {
        assertRefused(Code.UNIMPLEMENTED, () -> call.accept(client.stub()));
    }
}
