package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BoolValue;
import io.grpc.Status.Code;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.durabletask.wire.Protocol.CreateTaskHubRequest;
import io.sluice.durabletask.wire.Protocol.DeleteTaskHubRequest;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.PurgeInstanceFilter;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.RequestKind;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Removing what has ended. */
class PurgesIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private String ended(ScriptedWorker worker, OrchestratorAction ending) {
        String instance = client.start(name, "1");
        worker.decide(instance, ending);
        client.awaitEnd(instance);
        return instance;
    }

    private ScriptedWorker worker() {
        return host.worker().takes(name).connect();
    }

    private PurgeInstancesResponse purge(String... ids) {
        PurgeInstancesRequest.Builder request = PurgeInstancesRequest.newBuilder();
        if (ids.length == 1) {
            request.setInstanceId(ids[0]);
        } else {
            request.getInstanceBatchBuilder().addAllInstanceIds(List.of(ids));
        }
        return client.stub().purgeInstances(request.build());
    }

    private PurgeInstancesResponse purge(PurgeInstanceFilter.Builder filter) {
        return client.stub()
                .purgeInstances(PurgeInstancesRequest.newBuilder()
                        .setPurgeInstanceFilter(filter)
                        .build());
    }

    /** The time by the store's clock, after all that has been started so far. */
    private Instant now() {
        return Wire.instant(client.state(client.start(unique("Marker"), "1")).getCreatedTimestamp());
    }

    /** Of what this test has started since then. */
    private static PurgeInstanceFilter.Builder since(Instant begun) {
        return PurgeInstanceFilter.newBuilder().setCreatedTimeFrom(Wire.timestamp(begun));
    }

    @Test
    void an_ended_instance_is_removed_with_its_history() {
        String instance = ended(worker(), completed(0, "42"));

        PurgeInstancesResponse response = purge(instance);

        assertThat(response.getDeletedInstanceCount()).isEqualTo(1);
        assertThat(response.getIsComplete()).isEqualTo(BoolValue.of(true));
        assertThat(client.get(instance).getExists()).isFalse();
        assertRefused(Code.NOT_FOUND, () -> client.history(instance));
        assertThat(purge(instance).getDeletedInstanceCount()).isZero();
    }

    @Test
    void the_id_of_a_removed_instance_is_free_again() {
        ScriptedWorker worker = worker();
        String instance = ended(worker, completed(0, "42"));
        purge(instance);

        client.start(request(name).setInstanceId(instance));

        assertThat(worker.decide(instance, completed(0, "43")).getPastEventsList())
                .isEmpty();
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("43"));
    }

    @Test
    void what_runs_and_what_is_unknown_is_passed_over() {
        String running = client.start(name, "1");
        worker().decide(running);
        client.awaitStart(running);

        assertThat(purge(running).getDeletedInstanceCount()).isZero();
        assertThat(purge("nobody").getDeletedInstanceCount()).isZero();
        assertThat(client.status(running)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
    }

    @Test
    void a_batch_removes_each_instance_once() {
        ScriptedWorker worker = worker();
        String one = ended(worker, completed(0, "42"));
        String two = ended(worker, failed(0, "Boom", "bad luck"));
        String pending = client.start(unique("Unknown"), "1");

        PurgeInstancesResponse response = purge(one, two, one, pending, "nobody");

        assertThat(response.getDeletedInstanceCount()).isEqualTo(2);
        assertThat(client.get(pending).getExists()).isTrue();
    }

    @Test
    void a_batch_has_at_most_500_ids() {
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> purge(IntStream.range(0, 501).mapToObj(i -> "i" + i).toArray(String[]::new)),
                "instanceBatch.instanceIds",
                "500",
                "501");
    }

    @Test
    void a_purge_must_say_of_what() {
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> client.stub().purgeInstances(PurgeInstancesRequest.getDefaultInstance()),
                "instanceId");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b"})
    void an_id_that_no_instance_can_have_is_refused(String id) {
        assertRefused(Code.INVALID_ARGUMENT, () -> purge(id), "instanceId");
    }

    @Test
    void a_filter_removes_by_state_and_time() {
        ScriptedWorker worker = worker();
        String before = ended(worker, completed(0, "42"));
        Instant begun = now();
        String done = ended(worker, completed(0, "42"));
        String bad = ended(worker, failed(0, "Boom", "bad luck"));

        PurgeInstancesResponse failures = purge(since(begun).addRuntimeStatus(ORCHESTRATION_STATUS_FAILED));
        PurgeInstancesResponse none = purge(since(begun).setCreatedTimeTo(Wire.timestamp(begun.minusSeconds(1))));
        PurgeInstancesResponse rest = purge(since(begun));

        assertThat(failures.getDeletedInstanceCount()).isEqualTo(1);
        assertThat(failures.getIsComplete()).isEqualTo(BoolValue.of(true));
        assertThat(none.getDeletedInstanceCount()).isZero();
        assertThat(rest.getDeletedInstanceCount()).isEqualTo(1);
        assertThat(client.get(bad).getExists()).isFalse();
        assertThat(client.get(done).getExists()).isFalse();
        assertThat(client.get(before).getExists()).isTrue();
    }

    @Test
    void a_filter_for_what_runs_removes_nothing() {
        Instant begun = now();
        String running = client.start(name, "1");
        worker().decide(running);
        client.awaitStart(running);

        assertThat(purge(since(begun).addRuntimeStatus(ORCHESTRATION_STATUS_RUNNING))
                        .getDeletedInstanceCount())
                .isZero();
        assertThat(client.get(running).getExists()).isTrue();
    }

    @Test
    void a_filter_whose_time_is_over_says_that_more_is_left() {
        Instant begun = now();
        String instance = ended(worker(), completed(0, "42"));
        PurgeInstanceFilter.Builder filter = since(begun);
        filter.getTimeoutBuilder().setSeconds(0);

        PurgeInstancesResponse response = purge(filter);

        assertThat(response.getIsComplete()).isEqualTo(BoolValue.of(false));
        assertThat(client.get(instance).getExists()).isTrue();
        filter.getTimeoutBuilder().setSeconds(20);
        assertThat(purge(filter).getDeletedInstanceCount()).isEqualTo(1);
    }

    @Test
    void one_that_cannot_be_removed_does_not_stop_those_after_it() {
        Instant begun = now();
        ScriptedWorker worker = worker();
        String first = ended(worker, completed(0, "42"));
        String bad = ended(worker, completed(0, "42"));
        String last = ended(worker, completed(0, "42"));
        FaultRule broken = host.emulator()
                .faults()
                .refuse(
                        request -> request.operation() == RequestKind.BATCH
                                && request.body().contains(bad + ":instance"),
                        0,
                        400,
                        0);

        PurgeInstancesResponse response = purge(since(begun));

        broken.remove();
        assertThat(broken.hits()).isPositive();
        assertThat(response.getDeletedInstanceCount()).isEqualTo(2);
        assertThat(response.getIsComplete()).isEqualTo(BoolValue.of(false));
        assertThat(client.get(first).getExists()).isFalse();
        assertThat(client.get(bad).getExists()).isTrue();
        assertThat(client.get(last).getExists()).isFalse();
    }

    @Test
    void more_than_a_page_is_removed_by_one_request() {
        Instant begun = now();
        host.worker().orchestrates(name, turn -> answer(completed(0, "42"))).connect();
        // A page has a hundred.
        List<String> instances = IntStream.range(0, 101)
                .mapToObj(i -> client.start(name, "" + i))
                .toList();
        instances.forEach(client::awaitEnd);

        assertThat(purge(since(begun)).getDeletedInstanceCount()).isEqualTo(101);
    }

    @Test
    void a_purge_of_one_alone_leaves_its_children() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        String kid = unique("kid");
        worker.decide(parent, child(0, kid, name));
        worker.decide(kid, completed(0, "42"));
        worker.decide(parent, completed(1, "42"));
        client.awaitEnd(parent);

        assertThat(purge(parent).getDeletedInstanceCount()).isEqualTo(1);
        assertThat(client.status(kid)).isEqualTo(ORCHESTRATION_STATUS_COMPLETED);
    }

    @Test
    void a_filter_must_have_times() {
        PurgeInstanceFilter.Builder filter = PurgeInstanceFilter.newBuilder();
        filter.getCreatedTimeFromBuilder().setSeconds(Long.MAX_VALUE);

        assertRefused(Code.INVALID_ARGUMENT, () -> purge(filter), "createdTimeFrom");
    }

    @Test
    void a_task_hub_is_not_emptied_unless_the_host_allows_it() {
        String instance = client.start(name, "1");

        assertRefused(
                Code.PERMISSION_DENIED,
                () -> client.stub().deleteTaskHub(DeleteTaskHubRequest.getDefaultInstance()),
                "container");
        assertRefused(
                Code.PERMISSION_DENIED,
                () -> client.stub()
                        .createTaskHub(CreateTaskHubRequest.newBuilder()
                                .setRecreateIfExists(true)
                                .build()));
        assertThat(client.stub().createTaskHub(CreateTaskHubRequest.getDefaultInstance()))
                .isNotNull();
        assertThat(client.get(instance).getExists()).isTrue();
    }

    @Test
    void a_host_for_tests_empties_its_task_hub() {
        OpenHost alone = host.alone(host.config().withHub(HubSettings.USUAL.withCanBeEmptied(true)));
        HubClient its = alone.client();
        ScriptedWorker worker = alone.worker().takes(name).connect();
        String running = its.start(name, "1");
        worker.decide(running);
        String pending = its.start(unique("Unknown"), "1");

        var unused = its.stub()
                .createTaskHub(CreateTaskHubRequest.newBuilder()
                        .setRecreateIfExists(true)
                        .build());

        assertThat(its.get(running).getExists()).isFalse();
        assertThat(its.get(pending).getExists()).isFalse();
        String fresh = its.start(name, "2");
        worker.decide(fresh, completed(0, "42"));
        var unusedToo = its.stub().deleteTaskHub(DeleteTaskHubRequest.getDefaultInstance());
        assertThat(its.get(fresh).getExists()).isFalse();
    }
}
