package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BoolValue;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesResponse;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Removing what has ended together with what it has started. */
class RecursivePurgesIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private ScriptedWorker worker() {
        return host.worker().takes(name).connect();
    }

    private PurgeInstancesResponse purge(String root) {
        return client.stub()
                .purgeInstances(PurgeInstancesRequest.newBuilder()
                        .setInstanceId(root)
                        .setRecursive(true)
                        .build());
    }

    /** A root that ends while its only child runs. */
    private String endedWithRunning(ScriptedWorker worker, String kid) {
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, name));
        worker.decide(kid);
        client.awaitStart(kid);
        client.raise(parent, "enough", "");
        worker.decide(parent, completed(1, "42"));
        client.awaitEnd(parent);
        return parent;
    }

    /** A root that ends after its only child. */
    private String endedAfter(ScriptedWorker worker, String kid) {
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, name));
        worker.decide(kid, completed(0, "42"));
        worker.decide(parent, completed(1, "42"));
        client.awaitEnd(parent);
        return parent;
    }

    private void purgeAlone(String instance) {
        assertThat(client.stub()
                        .purgeInstances(PurgeInstancesRequest.newBuilder()
                                .setInstanceId(instance)
                                .build())
                        .getDeletedInstanceCount())
                .isEqualTo(1);
    }

    @Test
    void it_removes_children_and_theirs() {
        ScriptedWorker worker = worker();
        String parent = client.start(name, "1");
        String middle = unique("middle");
        String leaf = unique("leaf");
        worker.decide(parent, child(0, middle, name));
        worker.decide(middle, child(0, leaf, name));
        worker.decide(leaf, completed(0, "42"));
        worker.decide(middle, completed(1, "42"));
        worker.decide(parent, completed(1, "42"));
        client.awaitEnd(parent);

        PurgeInstancesResponse response = purge(parent);

        assertThat(response.getDeletedInstanceCount()).isEqualTo(3);
        assertThat(response.getIsComplete()).isEqualTo(BoolValue.of(true));
        assertThat(List.of(parent, middle, leaf))
                .noneMatch(instance -> client.get(instance).getExists());
    }

    @Test
    void it_leaves_a_child_that_runs_and_says_so() {
        ScriptedWorker worker = worker();
        String kid = unique("kid");
        String parent = endedWithRunning(worker, kid);

        PurgeInstancesResponse response = purge(parent);

        assertThat(response.getDeletedInstanceCount()).isEqualTo(1);
        assertThat(response.getIsComplete()).isEqualTo(BoolValue.of(false));
        assertThat(client.get(parent).getExists()).isFalse();
        assertThat(client.status(kid)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
        client.raise(kid, "go", "");
        worker.decide(kid, completed(0, "43"));
        assertThat(client.awaitEnd(kid).getOutput()).isEqualTo(Wire.text("43"));
    }

    @Test
    void it_leaves_what_a_running_child_has_started() {
        ScriptedWorker worker = worker();
        String kid = unique("kid");
        String leaf = unique("leaf");
        String parent = endedWithRunning(worker, kid);
        client.raise(kid, "go", "");
        worker.decide(kid, child(0, leaf, name));
        worker.decide(leaf, completed(0, "42"));
        client.awaitEnd(leaf);

        assertThat(purge(parent).getDeletedInstanceCount()).isEqualTo(1);

        assertThat(client.status(leaf)).isEqualTo(ORCHESTRATION_STATUS_COMPLETED);
        Events.only(worker.turn(kid), EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED);
    }

    @Test
    void it_leaves_an_instance_that_a_client_has_started_under_the_id_of_a_child() {
        ScriptedWorker worker = worker();
        String kid = unique("kid");
        String parent = endedAfter(worker, kid);
        purgeAlone(kid);
        client.start(request(name).setInstanceId(kid).setInput(Wire.text("a customer's order")));
        worker.decide(kid);
        client.awaitStart(kid);

        PurgeInstancesResponse response = purge(parent);

        assertThat(response.getDeletedInstanceCount()).isEqualTo(1);
        assertThat(response.getIsComplete())
                .as("what is another's is not left of this tree")
                .isEqualTo(BoolValue.of(true));
        assertThat(client.state(kid).getInput()).isEqualTo(Wire.text("a customer's order"));
        assertThat(client.status(kid)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
    }

    @Test
    void it_leaves_an_ended_child_of_another_parent() {
        ScriptedWorker worker = worker();
        String kid = unique("kid");
        String parent = endedAfter(worker, kid);
        purgeAlone(kid);
        String another = endedAfter(worker, kid);

        assertThat(purge(parent).getDeletedInstanceCount()).isEqualTo(1);

        assertThat(client.state(kid).getParentInstanceId()).isEqualTo(Wire.text(another));
        assertThat(purge(another).getDeletedInstanceCount()).isEqualTo(2);
    }

    @Test
    void by_a_filter_it_removes_the_other_roots_too() {
        ScriptedWorker worker = worker();
        Instant begun =
                Wire.instant(client.state(client.start(unique("Marker"), "1")).getCreatedTimestamp());
        String kid = unique("kid");
        String one = endedWithRunning(worker, kid);
        String two = endedAfter(worker, unique("kid"));
        PurgeInstancesRequest.Builder request =
                PurgeInstancesRequest.newBuilder().setRecursive(true);
        request.getPurgeInstanceFilterBuilder().setCreatedTimeFrom(Wire.timestamp(begun));

        PurgeInstancesResponse response = client.stub().purgeInstances(request.build());

        assertThat(response.getDeletedInstanceCount()).isEqualTo(3);
        assertThat(response.getIsComplete()).isEqualTo(BoolValue.of(false));
        assertThat(client.get(one).getExists()).isFalse();
        assertThat(client.get(two).getExists()).isFalse();
        assertThat(client.status(kid)).isEqualTo(ORCHESTRATION_STATUS_RUNNING);
        assertThat(client.stub().purgeInstances(request.build()).getIsComplete())
                .as("nothing is left that the filter is for")
                .isEqualTo(BoolValue.of(true));
    }

    @Test
    void it_leaves_a_parent_whose_child_waits_for_its_first_turn() {
        ScriptedWorker worker = worker();
        String kid = unique("kid");
        String parent = client.start(name, "1");
        worker.decide(parent, child(0, kid, unique("Unknown")));
        client.raise(parent, "enough", "");
        worker.decide(parent, completed(1, "42"));
        client.awaitEnd(parent);

        PurgeInstancesResponse response = purge(parent);

        assertThat(response.getDeletedInstanceCount()).isZero();
        assertThat(response.getIsComplete()).isEqualTo(BoolValue.of(false));
        assertThat(client.status(parent)).isEqualTo(ORCHESTRATION_STATUS_COMPLETED);
    }
}
