package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_PENDING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.grpc.Status.Code;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts: one instance per id, with all that the client says of it. */
class StartsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    /** With a policy that lets it replace instances in these states. */
    private CreateInstanceRequest.Builder replacing(String instance, OrchestrationStatus... replaceable) {
        CreateInstanceRequest.Builder request = request(name).setInstanceId(instance);
        request.getOrchestrationIdReusePolicyBuilder().addAllReplaceableStatus(java.util.List.of(replaceable));
        return request;
    }

    @Test
    void an_instance_without_an_id_gets_one() {
        String instance = client.start(request(name).clearInstanceId());

        assertThat(instance).matches("[0-9a-f]{32}");
        assertThat(client.get(instance).getExists()).isTrue();
    }

    @Test
    void an_instance_is_pending_until_a_worker_has_decided_its_first_turn() {
        String instance = client.start(request(name)
                .setVersion(Wire.text("2.1"))
                .putTags("tenant", "a")
                .setExecutionId(Wire.text("e-1")));

        OrchestrationState state = client.state(instance);

        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_PENDING);
        assertThat(state.getInstanceId()).isEqualTo(instance);
        assertThat(state.getName()).isEqualTo(name);
        assertThat(state.getVersion().getValue()).isEqualTo("2.1");
        assertThat(state.getTagsMap()).isEqualTo(Map.of("tenant", "a"));
        assertThat(state.getExecutionId().getValue()).isEqualTo("e-1");
        assertThat(Wire.instant(state.getCreatedTimestamp()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    }

    @Test
    void all_that_a_client_says_reaches_the_worker() {
        CreateInstanceRequest.Builder request = request(name)
                .setVersion(Wire.text("2.1"))
                .setInput(Wire.text("{\"total\": \"12 €\"}"))
                .setExecutionId(Wire.text("e-1"))
                .putTags("tenant", "a");
        request.getParentTraceContextBuilder()
                .setTraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .setTraceState(Wire.text("vendor=1"));
        String instance = client.start(request);

        WorkItem turn = host.worker().takes(name).connect().turn(instance);

        ExecutionStartedEvent started = Events.started(turn.getOrchestratorRequest());
        assertThat(started.getName()).isEqualTo(name);
        assertThat(started.getVersion()).isEqualTo(request.getVersion());
        assertThat(started.getInput()).isEqualTo(request.getInput());
        assertThat(started.getTagsMap()).isEqualTo(request.getTagsMap());
        assertThat(started.getParentTraceContext()).isEqualTo(request.getParentTraceContext());
        assertThat(started.getOrchestrationInstance().getInstanceId()).isEqualTo(instance);
        assertThat(turn.getOrchestratorRequest().getExecutionId().getValue()).isEqualTo("e-1");
        assertThat(started.hasParentInstance()).as("a root has no parent").isFalse();
    }

    @Test
    void no_input_and_an_empty_one_are_told_apart() {
        String without = client.start(request(name));
        String empty = client.start(name, "");

        ScriptedWorker worker = host.worker().takes(name).connect();

        assertThat(Events.started(worker.turn(without).getOrchestratorRequest()).hasInput())
                .isFalse();
        assertThat(Events.started(worker.turn(empty).getOrchestratorRequest()).getInput())
                .isEqualTo(Wire.text(""));
    }

    @Test
    void a_large_input_arrives_whole() {
        String input = "é".repeat(500_000);

        String instance = client.start(name, input);

        WorkItem turn = host.worker().takes(name).connect().turn(instance);
        assertThat(Events.started(turn.getOrchestratorRequest()).getInput().getValue())
                .isEqualTo(input);
    }

    @Test
    void an_input_that_the_store_has_no_room_for_is_refused() {
        assertRefused(Code.RESOURCE_EXHAUSTED, () -> client.start(name, "x".repeat(1_900_000)), "bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a\\b", "a?b", "a#b", "a\u0007", "a "})
    void an_id_that_no_document_can_have_is_refused(String id) {
        assertRefused(Code.INVALID_ARGUMENT, () -> client.start(request(name).setInstanceId(id)), "instanceId", id);
    }

    @Test
    void an_id_has_at_most_950_bytes() {
        String longest = unique("é").repeat(100).substring(0, 850) + "é".repeat(50);

        assertThat(client.start(request(name).setInstanceId(longest.substring(0, 800))))
                .hasSize(800);
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> client.start(request(name).setInstanceId("x".repeat(951))),
                "instanceId",
                "950",
                "951");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Überweisung 12 € 🎉", "a:b,c;d=e&f%g'h\"i", "@counter@7", "..", "日本"})
    void an_id_may_be_any_other_text(String text) {
        String instance = client.start(request(name).setInstanceId(text + unique("")));

        host.worker().takes(name).connect().decide(instance, completed(0, "42"));

        assertThat(client.awaitEnd(instance).getInstanceId()).isEqualTo(instance);
    }

    @Test
    void an_orchestration_must_have_a_name() {
        assertRefused(Code.INVALID_ARGUMENT, () -> client.start(request("")), "name");
    }

    @Test
    void names_and_versions_that_are_too_long_are_refused() {
        assertRefused(Code.INVALID_ARGUMENT, () -> client.start(request("x".repeat(1_001))), "name");
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> client.start(request(name).setVersion(Wire.text("x".repeat(1_001)))),
                "version");
    }

    @Test
    void a_worker_gets_all_tags_and_clients_see_those_that_have_room() {
        String instance =
                client.start(request(name).putTags("large", "x".repeat(20_000)).putTags("tenant", "a"));

        OrchestratorRequest turn = host.worker().takes(name).connect().decide(instance);

        assertThat(Events.started(turn).getTagsMap()).containsOnlyKeys("large", "tenant");
        assertThat(client.awaitStart(instance).getTagsMap()).isEqualTo(Map.of("tenant", "a"));
    }

    @Test
    void a_second_start_of_an_id_is_refused_and_says_what_the_first_one_does() {
        String instance = client.start(name, "1");

        assertRefused(
                Code.ALREADY_EXISTS,
                () -> client.start(request(name).setInstanceId(instance)),
                "'" + instance + "'",
                "PENDING");
    }

    @Test
    void an_ended_instance_is_in_the_way_of_its_id_unless_the_client_says_otherwise() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(name, "1");
        worker.decide(instance, completed(0, "42"));
        client.awaitEnd(instance);

        assertRefused(Code.ALREADY_EXISTS, () -> client.start(request(name).setInstanceId(instance)), "COMPLETED");
    }

    static Stream<Arguments> endings() {
        return Stream.of(
                Arguments.of(completed(0, "42"), ORCHESTRATION_STATUS_COMPLETED),
                Arguments.of(failed(0, "Boom", "bad luck"), ORCHESTRATION_STATUS_FAILED),
                Arguments.of(terminated(0, "enough"), ORCHESTRATION_STATUS_TERMINATED));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void an_instance_in_a_replaceable_state_is_replaced(OrchestratorAction ending, OrchestrationStatus status) {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(name, "1");
        worker.decide(instance, ending);
        client.awaitEnd(instance);

        client.start(replacing(instance, status).setInput(Wire.text("2")));

        WorkItem turn = worker.turn(instance);
        assertThat(turn.getOrchestratorRequest().getPastEventsList()).isEmpty();
        assertThat(Events.started(turn.getOrchestratorRequest()).getInput()).isEqualTo(Wire.text("2"));
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_PENDING);
    }

    @Test
    void an_instance_in_another_state_is_not_replaced() {
        String instance = client.start(name, "1");
        host.worker().takes(name).connect().decide(instance);
        client.awaitStart(instance);

        assertRefused(
                Code.ALREADY_EXISTS,
                () -> client.start(replacing(instance, ORCHESTRATION_STATUS_COMPLETED, ORCHESTRATION_STATUS_FAILED)),
                "RUNNING");
    }

    @Test
    void of_a_running_instance_that_is_replaced_no_answer_is_taken_any_more() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(name, "1");
        worker.decide(instance);
        client.awaitStart(instance);
        client.raise(instance, "go", "1");
        WorkItem turn = worker.turn(instance);

        client.start(replacing(instance, ORCHESTRATION_STATUS_RUNNING, ORCHESTRATION_STATUS_TERMINATED)
                .setInput(Wire.text("2")));

        assertRefused(Code.ABORTED, () -> worker.complete(turn, completed(0, "of the first")));
        worker.decide(instance, completed(0, "of the second"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("of the second"));
    }

    @Test
    void a_policy_that_replaces_what_runs_must_replace_what_was_terminated() {
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> client.start(replacing(unique("i"), ORCHESTRATION_STATUS_RUNNING)),
                "orchestrationIdReusePolicy.replaceableStatus");
    }

    @Test
    void of_twenty_starts_of_one_id_at_the_same_time_exactly_one_succeeds() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = unique("i");

        Concurrently.Outcomes outcomes = Concurrently.run(
                20, i -> client.start(request(name).setInstanceId(instance).setInput(Wire.text("" + i))));

        assertThat(outcomes.succeeded()).isEqualTo(1);
        assertThat(outcomes.codes()).hasSize(19).containsOnly(Code.ALREADY_EXISTS);
        WorkItem turn = worker.turn(instance);
        assertThat(Events.newKinds(turn))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED);
        worker.complete(turn, completed(0, "42"));
        assertThat(Events.of(client.history(instance), EventTypeCase.EXECUTIONSTARTED))
                .hasSize(1);
    }

    @Test
    void of_starts_that_replace_each_other_one_is_left() {
        ScriptedWorker worker = host.worker().takes(name);
        String instance = client.start(name, "first");

        Concurrently.Outcomes outcomes = Concurrently.run(
                8,
                i -> client.start(replacing(instance, ORCHESTRATION_STATUS_PENDING, ORCHESTRATION_STATUS_TERMINATED)
                        .setInput(Wire.text("" + i))));

        assertThat(outcomes.succeeded()).isPositive();
        assertThat(outcomes.codes()).as("the others lost a race").isSubsetOf(Code.ABORTED, Code.ALREADY_EXISTS);
        WorkItem turn = worker.connect().turn(instance);
        assertThat(Events.newKinds(turn))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED);
    }

    @Test
    void a_start_may_be_put_off() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        Instant due = Instant.now().plusMillis(1_500);

        String instance = client.start(request(name).setScheduledStartTimestamp(Wire.timestamp(due)));

        OrchestrationState state = client.state(instance);
        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_PENDING);
        assertThat(Wire.instant(state.getScheduledStartTimestamp())).isEqualTo(due);
        WorkItem turn = worker.turn(instance);
        assertThat(Instant.now()).as("not before it is due").isAfter(due.minusMillis(1));
        assertThat(Wire.instant(Events.started(turn.getOrchestratorRequest()).getScheduledStartTimestamp()))
                .isEqualTo(due);
    }

    @Test
    void a_start_that_is_due_already_is_not_put_off() {
        ScriptedWorker worker = host.worker().takes(name).connect();

        String instance = client.start(request(name)
                .setScheduledStartTimestamp(Wire.timestamp(Instant.now().minusSeconds(3_600))));

        assertThat(worker.turn(instance, Duration.ofSeconds(2))).isPresent();
    }

    @Test
    void what_is_raised_to_an_instance_before_it_is_due_comes_after_its_start() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(request(name)
                .setScheduledStartTimestamp(Wire.timestamp(Instant.now().plusMillis(1_200))));

        client.raise(instance, "early", "1");

        assertThat(Events.newKinds(worker.turn(instance)))
                .containsExactly(
                        EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EVENTRAISED);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE})
    void a_start_at_no_time_is_refused(long seconds) {
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> client.start(request(name)
                        .setScheduledStartTimestamp(Timestamp.newBuilder().setSeconds(seconds))),
                "scheduledStartTimestamp");
    }

    @Test
    void a_start_may_be_put_off_for_centuries() {
        Instant due = Instant.parse("9999-12-31T23:59:59Z");

        String instance = client.start(request(name).setScheduledStartTimestamp(Wire.timestamp(due)));

        assertThat(Wire.instant(client.state(instance).getScheduledStartTimestamp()))
                .isEqualTo(due);
    }
}
