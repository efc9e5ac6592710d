package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_PENDING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.turn.Answers;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsRequest;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances whose start lies ahead. */
@Order(1)
class ScheduledStartsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private static final Duration UNTIL_ITS_TIME = Duration.ofMinutes(1);

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private CreateInstanceRequest.Builder inAnHour() {
        return at(Instant.now().plusSeconds(3_600));
    }

    /** Far enough ahead that what a test does before it is done before it, on any machine. */
    private static Instant soon() {
        return Instant.now().plusSeconds(10);
    }

    private CreateInstanceRequest.Builder at(Instant time) {
        return request(name).setInput(Wire.text("1")).setScheduledStartTimestamp(Wire.timestamp(time));
    }

    private static PurgeInstancesRequest.Builder named(String instance) {
        return PurgeInstancesRequest.newBuilder().setInstanceId(instance);
    }

    private int purge(String instance) {
        return purge(named(instance));
    }

    private int purge(PurgeInstancesRequest.Builder request) {
        return client.stub().purgeInstances(request.build()).getDeletedInstanceCount();
    }

    private boolean hasWaitingStart(String instance) {
        return host.host().provider().queries().waitingStart(instance).isPresent();
    }

    /** Until a host has taken the start that was put off, whatever has become of it. */
    private void awaitThatItsTimeHasCome(String instance) {
        Awaitility.await().atMost(UNTIL_ITS_TIME).until(() -> !hasWaitingStart(instance));
    }

    private void assertTerminated(OrchestrationState state) {
        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
        assertThat(state.getOutput()).isEqualTo(Wire.text("stop"));
        assertThat(state.getInput()).isEqualTo(Wire.text("1"));
        assertThat(Events.kinds(client.history(state.getInstanceId())))
                .containsSubsequence(
                        EventTypeCase.EXECUTIONSTARTED,
                        EventTypeCase.EXECUTIONTERMINATED,
                        EventTypeCase.EXECUTIONCOMPLETED);
    }

    @Test
    void one_that_is_terminated_before_its_time_ends_and_no_worker_gets_it() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(inAnHour());
        client.raise(instance, "early", "");

        client.terminate(instance, "stop", false);

        assertTerminated(client.awaitEnd(instance));
        assertThat(worker.inbox().got()).isZero();
        assertThat(purge(instance)).isEqualTo(1);
        assertThat(client.get(instance).getExists()).isFalse();
        assertThat(hasWaitingStart(instance)).isFalse();
    }

    @Test
    void what_is_terminated_before_its_first_turn_ends_and_no_worker_gets_it() {
        String instance = client.start(name, "1");
        client.terminate(instance, "stop", false);

        ScriptedWorker worker = host.worker().takes(name).connect();

        assertTerminated(client.awaitEnd(instance));
        assertThat(worker.inbox().got()).isZero();
    }

    @Test
    void one_can_be_terminated_that_is_large() {
        var unused = host.worker().takes(name).connect();
        String input = "i".repeat(1_450_000);
        String reason = "r".repeat(200_000);
        String instance = client.start(inAnHour().setInput(Wire.text(input)));

        assertRefused(Code.RESOURCE_EXHAUSTED, () -> client.terminate(instance, "r".repeat(400_000), false), "put off");
        client.terminate(instance, reason, false);

        OrchestrationState state = client.awaitEnd(instance);
        assertThat(state.getOrchestrationStatus()).isEqualTo(ORCHESTRATION_STATUS_TERMINATED);
        assertThat(state.getInput()).isEqualTo(Wire.text(input));
        assertThat(state.getOutput()).isEqualTo(Wire.text(reason));
    }

    @Test
    void one_is_ended_without_a_worker_before_its_time() {
        String instance = client.start(inAnHour());
        SkipGracefulOrchestrationTerminationsRequest.Builder request =
                SkipGracefulOrchestrationTerminationsRequest.newBuilder().setReason(Wire.text("stop"));
        request.getInstanceBatchBuilder().addInstanceIds(instance);

        assertThat(client.stub()
                        .skipGracefulOrchestrationTerminations(request.build())
                        .getUnterminatedInstanceIdsList())
                .isEmpty();

        assertTerminated(client.state(instance));
        assertThat(purge(instance)).isEqualTo(1);
    }

    @Test
    void the_id_of_one_that_was_terminated_and_purged_is_free_at_once() {
        host.worker().takes(name).connect();
        String instance = client.start(inAnHour());
        client.terminate(instance, "stop", false);
        client.awaitEnd(instance);
        purge(instance);

        client.start(inAnHour().setInstanceId(instance));

        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_PENDING);
    }

    @Test
    void a_termination_begins_no_instance_that_takes_the_place_of_the_one_it_was_meant_for() {
        String instance = client.start(inAnHour());
        FaultRule meanwhile = host.emulator().faults().runBefore(isBatchOf(instance), 1, request -> {
            purge(instance);
            client.start(inAnHour().setInput(Wire.text("2")).setInstanceId(instance));
        });

        client.terminate(instance, "stop", false);

        meanwhile.remove();
        assertThat(meanwhile.hits()).isEqualTo(1);
        assertThat(host.host().provider().queries().waitingStart(instance))
                .hasValueSatisfying(start -> assertThat(start.input()).isEqualTo("2"));
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_PENDING);
    }

    private static Predicate<LoggedRequest> isBatchOf(String instance) {
        return request -> request.operation() == RequestKind.BATCH
                && request.partitionKey() != null
                && request.partitionKey().contains(instance);
    }

    @Test
    void what_was_taken_back_is_nobodys_business_when_its_time_comes() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        Instant time = soon();
        String terminated = client.start(at(time));
        client.terminate(terminated, "stop", false);
        String terminatedAndUsedAgain = client.start(at(time));
        client.terminate(terminatedAndUsedAgain, "stop", false);
        client.awaitEnd(terminated);
        client.awaitEnd(terminatedAndUsedAgain);
        String purgedAndUsedAgain = client.start(at(time));
        List<String> usedAgain = List.of(terminatedAndUsedAgain, purgedAndUsedAgain);
        for (String instance : usedAgain) {
            assertThat(purge(instance)).isEqualTo(1);
            client.start(request(name).setInput(Wire.text("2")).setInstanceId(instance));
            var first = worker.turn(instance);
            assertThat(Events.started(first.getOrchestratorRequest()).getInput())
                    .isEqualTo(Wire.text("2"));
            worker.complete(first);
        }

        awaitThatItsTimeHasCome(terminated);
        Awaitility.await().atMost(UNTIL_ITS_TIME).until(() -> Instant.now().isAfter(time));

        assertTerminated(client.state(terminated));
        for (String instance : usedAgain) {
            client.raise(instance, "go", "");
            assertThat(Events.newKinds(worker.turn(instance)))
                    .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EVENTRAISED);
            assertThat(hasWaitingStart(instance)).isFalse();
        }
        assertThat(worker.inbox().got()).isEqualTo(4);
    }

    @Test
    void one_that_was_never_begun_is_purged_by_its_id_alone() {
        String running = client.start(name, "1");
        String plain = client.start(inAnHour());
        String recursive = client.start(inAnHour());
        String suspended = client.start(inAnHour());
        client.suspend(suspended);

        assertThat(purge(plain)).isEqualTo(1);
        assertThat(purge(named(recursive).setRecursive(true))).isEqualTo(1);
        PurgeInstancesRequest.Builder batch = PurgeInstancesRequest.newBuilder();
        batch.getInstanceBatchBuilder().addInstanceIds(suspended).addInstanceIds(running);
        assertThat(purge(batch)).isEqualTo(1);

        assertThat(List.of(plain, recursive, suspended)).allSatisfy(instance -> {
            assertThat(client.get(instance).getExists()).isFalse();
            assertThat(hasWaitingStart(instance)).isFalse();
        });
        assertThat(client.status(running)).as("it waits for a worker").isEqualTo(ORCHESTRATION_STATUS_PENDING);
    }

    @Test
    void one_is_spared_by_a_purge_that_does_not_name_it() {
        String instance = client.start(inAnHour());
        PurgeInstancesRequest.Builder all = PurgeInstancesRequest.newBuilder();
        all.getPurgeInstanceFilterBuilder()
                .setCreatedTimeFrom(Wire.timestamp(Instant.now().minusSeconds(60)));

        var unused = purge(all);

        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_PENDING);
        assertThat(hasWaitingStart(instance)).isTrue();
    }

    @Test
    void one_that_is_suspended_before_its_time_shows_that_at_once_and_runs_when_it_is_resumed() {
        String instance = client.start(at(soon()));
        client.suspend(instance);
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_SUSPENDED);
        assertThat(client.state(instance).getInput()).isEqualTo(Wire.text("1"));
        ScriptedWorker worker = host.worker().takes(name).connect();
        awaitThatItsTimeHasCome(instance);
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_SUSPENDED);
        assertThat(worker.inbox().got()).as("at its time").isZero();
        client.raise(instance, "while suspended", "");

        client.resume(instance);

        Awaitility.await().atMost(ScriptedWorker.PATIENCE).until(() -> takesTheTurnThatResumes(worker, instance));
        worker.decide(instance, Answers.completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    /** Each event may come with a turn of its own. */
    private boolean takesTheTurnThatResumes(ScriptedWorker worker, String instance) {
        var turn = worker.turn(instance);
        var request = turn.getOrchestratorRequest();
        assertThat(Events.kinds(request.getPastEventsList()))
                .containsSubsequence(EventTypeCase.EXECUTIONSTARTED, EventTypeCase.EXECUTIONSUSPENDED);
        if (!Events.newKinds(turn).contains(EventTypeCase.EXECUTIONRESUMED)) {
            worker.complete(turn);
            return false;
        }
        worker.complete(turn);
        client.raise(instance, "end", "");
        return true;
    }

    @Test
    void one_that_is_resumed_before_its_time_is_pending_again_and_runs_at_its_time() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        Instant time = soon();
        String instance = client.start(at(time));
        client.suspend(instance);
        var suspended = client.status(instance);

        client.resume(instance);

        assertThat(suspended).isEqualTo(ORCHESTRATION_STATUS_SUSPENDED);
        assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_PENDING);
        assertThat(worker.inbox().got()).as("before its time").isZero();
        var turn = worker.turn(instance, UNTIL_ITS_TIME).orElseThrow();
        assertThat(Instant.now()).isAfterOrEqualTo(time);
        assertThat(Events.newKinds(turn))
                .containsExactly(
                        EventTypeCase.ORCHESTRATORSTARTED,
                        EventTypeCase.EXECUTIONSTARTED,
                        EventTypeCase.EXECUTIONSUSPENDED,
                        EventTypeCase.EXECUTIONRESUMED);
    }

    @Test
    void one_that_is_suspended_is_terminated_before_its_time() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(inAnHour());
        client.suspend(instance);

        client.terminate(instance, "stop", false);

        assertTerminated(client.awaitEnd(instance));
        assertThat(worker.inbox().got()).isZero();
    }

    @Test
    void what_is_suspended_before_its_first_turn_gets_no_worker_until_it_is_resumed() {
        String instance = client.start(name, "1");
        client.suspend(instance);
        ScriptedWorker worker = host.worker().takes(name).connect();
        Awaitility.await()
                .atMost(ScriptedWorker.PATIENCE)
                .until(() -> client.status(instance) == ORCHESTRATION_STATUS_SUSPENDED);
        assertThat(worker.inbox().got()).isZero();

        client.resume(instance);

        assertThat(Events.newKinds(worker.turn(instance)))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EXECUTIONRESUMED);
    }
}
