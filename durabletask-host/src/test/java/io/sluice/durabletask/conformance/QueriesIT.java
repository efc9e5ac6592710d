package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_PENDING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.turn.Answers;
import io.sluice.durabletask.wire.Protocol.InstanceQuery;
import io.sluice.durabletask.wire.Protocol.ListInstanceIdsRequest;
import io.sluice.durabletask.wire.Protocol.ListInstanceIdsResponse;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.QueryInstancesRequest;
import io.sluice.durabletask.wire.Protocol.QueryInstancesResponse;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Looking for instances. Each test looks at its own alone, by their prefix. */
class QueriesIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String prefix = unique("q") + ".";

    private String start(String suffix) {
        return client.start(request(name).setInstanceId(prefix + suffix).setInput(Wire.text("in " + suffix)));
    }

    private ScriptedWorker worker() {
        return host.worker().takes(name).connect();
    }

    private InstanceQuery.Builder mine() {
        return InstanceQuery.newBuilder().setInstanceIdPrefix(Wire.text(prefix));
    }

    private QueryInstancesResponse query(InstanceQuery.Builder query) {
        return client.stub()
                .queryInstances(
                        QueryInstancesRequest.newBuilder().setQuery(query).build());
    }

    private static List<String> ids(QueryInstancesResponse response) {
        return response.getOrchestrationStateList().stream()
                .map(OrchestrationState::getInstanceId)
                .toList();
    }

    /** One instance in each state. */
    private Map<OrchestrationStatus, String> zoo() {
        ScriptedWorker worker = worker();
        Map<OrchestrationStatus, String> zoo = new LinkedHashMap<>();
        zoo.put(ORCHESTRATION_STATUS_COMPLETED, start("completed"));
        worker.decide(prefix + "completed", completed(0, "out"));
        zoo.put(ORCHESTRATION_STATUS_FAILED, start("failed"));
        worker.decide(prefix + "failed", failed(0, "Boom", "bad luck"));
        zoo.put(ORCHESTRATION_STATUS_TERMINATED, start("terminated"));
        worker.decide(prefix + "terminated", Answers.terminated(0, "enough"));
        zoo.put(ORCHESTRATION_STATUS_RUNNING, start("running"));
        worker.decide(prefix + "running");
        zoo.put(ORCHESTRATION_STATUS_SUSPENDED, start("suspended"));
        worker.decide(prefix + "suspended");
        client.suspend(prefix + "suspended");
        worker.decide(prefix + "suspended");
        worker.close();
        zoo.put(ORCHESTRATION_STATUS_PENDING, start("pending"));
        return zoo;
    }

    @Test
    void each_state_is_found_by_its_name_and_all_by_none() {
        Map<OrchestrationStatus, String> zoo = zoo();

        zoo.forEach((status, id) -> {
            QueryInstancesResponse response = query(mine().addRuntimeStatus(status));
            assertThat(ids(response)).as("%s", status).containsExactly(id);
            assertThat(response.getOrchestrationState(0).getOrchestrationStatus())
                    .isEqualTo(status);
        });
        assertThat(ids(query(mine()))).as("the oldest first").containsExactlyElementsOf(zoo.values());
        assertThat(ids(query(mine().addRuntimeStatus(ORCHESTRATION_STATUS_FAILED)
                        .addRuntimeStatus(ORCHESTRATION_STATUS_PENDING))))
                .containsExactly(prefix + "failed", prefix + "pending");
    }

    @Test
    void payloads_are_shown_to_those_who_ask_for_them() {
        ScriptedWorker worker = worker();
        String instance = start("1");
        worker.complete(worker.turn(instance), withStatus(answer(completed(0, "out")), "all done"));
        client.awaitEnd(instance);

        OrchestrationState slim = query(mine()).getOrchestrationState(0);
        OrchestrationState full = query(mine().setFetchInputsAndOutputs(true)).getOrchestrationState(0);

        assertThat(slim.hasInput()).isFalse();
        assertThat(slim.hasOutput()).isFalse();
        assertThat(full).isEqualTo(client.state(instance));
    }

    @Test
    void instances_are_found_by_the_time_of_their_creation() {
        String first = start("1");
        Instant between =
                Wire.instant(client.state(first).getCreatedTimestamp()).plusMillis(1);
        org.awaitility.Awaitility.await().until(() -> Instant.now().isAfter(between.plusMillis(2)));
        String second = start("2");

        assertThat(ids(query(mine().setCreatedTimeFrom(Wire.timestamp(between)))))
                .containsExactly(second);
        assertThat(ids(query(mine().setCreatedTimeTo(Wire.timestamp(between))))).containsExactly(first);
        assertThat(ids(query(
                        mine().setCreatedTimeFrom(Wire.timestamp(between)).setCreatedTimeTo(Wire.timestamp(between)))))
                .isEmpty();
    }

    @Test
    void a_prefix_is_taken_as_it_is() {
        client.start(request(name).setInstanceId(prefix + "%_'\"[x]"));
        client.start(request(name).setInstanceId(prefix + "other"));

        assertThat(ids(query(InstanceQuery.newBuilder().setInstanceIdPrefix(Wire.text(prefix + "%_'\"[")))))
                .containsExactly(prefix + "%_'\"[x]");
        assertThat(ids(query(InstanceQuery.newBuilder().setInstanceIdPrefix(Wire.text(unique("none"))))))
                .isEmpty();
    }

    @Test
    void pages_follow_each_other_and_hold_each_instance_once() {
        List<String> started =
                IntStream.range(0, 25).mapToObj(i -> start("" + i)).toList();

        List<String> found = new ArrayList<>();
        int pages = 0;
        InstanceQuery.Builder query = mine().setMaxInstanceCount(10);
        QueryInstancesResponse page = query(query);
        while (true) {
            pages++;
            assertThat(page.getOrchestrationStateCount()).isLessThanOrEqualTo(10);
            found.addAll(ids(page));
            if (!page.hasContinuationToken()) {
                break;
            }
            page = query(query.setContinuationToken(page.getContinuationToken()));
        }

        assertThat(found).containsExactlyElementsOf(started);
        assertThat(pages).isBetween(3, 5);
    }

    @Test
    void a_page_without_a_size_has_one() {
        IntStream.range(0, 101).forEach(i -> start("" + i));

        QueryInstancesResponse first = query(mine());

        assertThat(first.getOrchestrationStateCount()).isEqualTo(100);
        assertThat(first.hasContinuationToken()).isTrue();
    }

    @Test
    void a_continuation_that_no_host_has_given_is_refused() {
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> query(mine().setContinuationToken(Wire.text("garbage"))),
                "continuationToken");
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> client.stub()
                        .listInstanceIds(ListInstanceIdsRequest.newBuilder()
                                .setLastInstanceKey(Wire.text("garbage"))
                                .build()),
                "lastInstanceKey");
    }

    @Test
    void a_time_that_is_none_is_refused() {
        InstanceQuery.Builder query = mine();
        query.getCreatedTimeToBuilder().setSeconds(Long.MAX_VALUE);
        ListInstanceIdsRequest.Builder list = ListInstanceIdsRequest.newBuilder();
        list.getCompletedTimeFromBuilder().setSeconds(Long.MIN_VALUE);

        assertRefused(Code.INVALID_ARGUMENT, () -> query(query), "createdTimeTo");
        assertRefused(Code.INVALID_ARGUMENT, () -> client.stub().listInstanceIds(list.build()), "completedTimeFrom");

        list.getCompletedTimeFromBuilder().setSeconds(Instant.MAX.getEpochSecond());
        assertRefused(Code.INVALID_ARGUMENT, () -> client.stub().listInstanceIds(list.build()), "completedTimeFrom");
    }

    @Test
    void an_empty_query_is_one_for_everything() {
        start("1");

        assertThat(client.stub()
                        .queryInstances(QueryInstancesRequest.getDefaultInstance())
                        .getOrchestrationStateCount())
                .isPositive();
    }

    @Test
    void ids_are_listed_by_state_and_by_the_time_of_the_end() {
        ScriptedWorker worker = worker();
        Instant begun = Instant.now();
        String done = start("done");
        worker.decide(done, completed(0, "out"));
        Instant doneAt = Wire.instant(client.awaitEnd(done).getCompletedTimestamp());
        org.awaitility.Awaitility.await().until(() -> Instant.now().isAfter(doneAt.plusMillis(3)));
        String bad = start("bad");
        worker.decide(bad, failed(0, "Boom", "bad luck"));
        client.awaitEnd(bad);
        String running = start("running");
        worker.decide(running);
        ListInstanceIdsRequest.Builder since =
                ListInstanceIdsRequest.newBuilder().setCompletedTimeFrom(Wire.timestamp(begun));

        assertThat(list(since)).containsExactly(done, bad);
        assertThat(list(since.clone().addRuntimeStatus(ORCHESTRATION_STATUS_FAILED)))
                .containsExactly(bad);
        assertThat(list(since.clone().setCompletedTimeTo(Wire.timestamp(doneAt.plusMillis(1)))))
                .containsExactly(done);
        assertThat(list(since.clone()
                        .setCompletedTimeFrom(Wire.timestamp(Instant.now().plusSeconds(60)))))
                .isEmpty();
    }

    private List<String> list(ListInstanceIdsRequest.Builder request) {
        return List.copyOf(client.stub().listInstanceIds(request.build()).getInstanceIdsList());
    }

    @Test
    void ids_are_listed_page_by_page() {
        Instant begun = Instant.now();
        host.worker().orchestrates(name, turn -> answer(completed(0, "out"))).connect();
        List<String> started =
                IntStream.range(0, 12).mapToObj(i -> start("" + i)).toList();
        started.forEach(client::awaitEnd);

        List<String> found = new ArrayList<>();
        ListInstanceIdsRequest.Builder request = ListInstanceIdsRequest.newBuilder()
                .setCompletedTimeFrom(Wire.timestamp(begun))
                .setPageSize(5);
        ListInstanceIdsResponse page = client.stub().listInstanceIds(request.build());
        while (true) {
            assertThat(page.getInstanceIdsCount()).isLessThanOrEqualTo(5);
            found.addAll(page.getInstanceIdsList());
            if (!page.hasLastInstanceKey()) {
                break;
            }
            assertThat(page.getLastInstanceKey().getValue()).endsWith(":" + page.getInstanceIds(4));
            page = client.stub()
                    .listInstanceIds(request.setLastInstanceKey(page.getLastInstanceKey())
                            .build());
        }

        assertThat(found).containsExactlyInAnyOrderElementsOf(started);
    }
}
