package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_PENDING;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsRequest;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances whose start lies ahead. */
class ScheduledStartsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");

    private CreateInstanceRequest.Builder inAnHour() {
        return request(name)
                .setInput(Wire.text("1"))
                .setScheduledStartTimestamp(Wire.timestamp(Instant.now().plusSeconds(3_600)));
    }

    private int purge(String instance) {
        return client.stub()
                .purgeInstances(PurgeInstancesRequest.newBuilder()
                        .setInstanceId(instance)
                        .build())
                .getDeletedInstanceCount();
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
        assertThat(host.host().provider().queries().waitingStart(instance)).isEmpty();
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
}
