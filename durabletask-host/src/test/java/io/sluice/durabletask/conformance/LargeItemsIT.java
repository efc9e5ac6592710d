package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.dispatch.DispatchLimits;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.durabletask.wire.Protocol.HistoryChunk;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.StreamInstanceHistoryRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work items, histories and answers that are larger than one message. */
class LargeItemsIT {
    private static final int MEGABYTE = 1 << 20;

    @RegisterExtension
    static final HostFixture host =
            HostFixture.with(HubSettings.USUAL.withLimits(new DispatchLimits(2 * MEGABYTE, 4 * MEGABYTE)));

    private final HubClient client = host.client();
    private final String name = unique("Order");

    /** An instance with a history of more than four megabytes, and an event that is new. */
    private String large() {
        ScriptedWorker worker = host.another(host.config()
                        .withHub(HubSettings.USUAL.withLimits(new DispatchLimits(64 * MEGABYTE, MEGABYTE))))
                .worker()
                .takes(name)
                .connect();
        String instance = client.start(name, "1");
        worker.decide(instance);
        for (int i = 0; i < 5; i++) {
            client.raise(instance, "n" + i, "x".repeat(900_000));
            worker.decide(instance);
        }
        worker.close();
        client.raise(instance, "last", "1");
        return instance;
    }

    @Test
    void a_worker_that_can_stream_histories_gets_a_large_one_apart_from_its_turn() {
        String instance = large();
        ScriptedWorker worker = host.worker().takes(name).streamsHistory().connect();

        WorkItem turn = worker.turn(instance);

        OrchestratorRequest request = turn.getOrchestratorRequest();
        assertThat(request.getRequiresHistoryStreaming()).isTrue();
        assertThat(request.getPastEventsList()).isEmpty();
        assertThat(Events.kinds(request.getNewEventsList()))
                .containsExactly(EventTypeCase.ORCHESTRATORSTARTED, EventTypeCase.EVENTRAISED);
        List<HistoryChunk> chunks = new ArrayList<>();
        worker.stub()
                .withMaxInboundMessageSize(4 * MEGABYTE)
                .streamInstanceHistory(StreamInstanceHistoryRequest.newBuilder()
                        .setInstanceId(instance)
                        .setExecutionId(request.getExecutionId())
                        .setForWorkItemProcessing(true)
                        .build())
                .forEachRemaining(chunks::add);
        List<HistoryEvent> past =
                chunks.stream().flatMap(chunk -> chunk.getEventsList().stream()).toList();
        assertThat(chunks)
                .hasSizeGreaterThan(1)
                .allSatisfy(chunk -> assertThat(chunk.getSerializedSize()).isLessThan(2 * MEGABYTE + 100_000));
        assertThat(Events.of(past, EventTypeCase.EVENTRAISED)).hasSize(5);
        assertThat(past.get(past.size() - 1).hasEventRaised()).isTrue();
        worker.complete(turn, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void a_small_history_comes_along_also_to_a_worker_that_can_stream() {
        ScriptedWorker worker = host.worker().takes(name).streamsHistory().connect();
        String instance = client.start(name, "1");
        worker.decide(instance);
        client.raise(instance, "go", "1");

        OrchestratorRequest request = worker.turn(instance).getOrchestratorRequest();

        assertThat(request.getRequiresHistoryStreaming()).isFalse();
        assertThat(request.getPastEventsList()).isNotEmpty();
    }

    @Test
    void a_turn_that_its_worker_could_not_receive_is_parked_and_others_go_on() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        String instance = large();
        OpenHost metered = host.another(host.config().withMeters(meters));
        ScriptedWorker worker = metered.worker().takes(name).connect();
        String other = client.start(name, "2");

        worker.decide(other, completed(0, "42"));

        assertThat(client.awaitEnd(other).getOutput()).isEqualTo(Wire.text("42"));
        org.awaitility.Awaitility.await()
                .until(() -> meters.get("sluice.host.returned")
                                .tags("kind", "turn", "cause", "too_large")
                                .counter()
                                .count()
                        >= 1);
        assertThat(worker.inbox().content()).isEmpty();
        worker.close();
        ScriptedWorker able = host.worker().takes(name).streamsHistory().connect();
        able.decide(instance, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void parts_of_an_answer_have_a_limit_together() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);
        String large = "x".repeat(1_400_000);

        for (int i = 0; i < 2; i++) {
            worker.complete(turn, partial(i, large));
        }
        Refusals.assertRefused(
                Code.RESOURCE_EXHAUSTED, () -> worker.complete(turn, partial(2, large)), "the parts of the answer");

        worker.decide(instance, completed(0, "42"));
    }

    @SuppressWarnings("deprecation")
    private static io.sluice.durabletask.wire.Protocol.OrchestratorResponse partial(int index, String payload) {
        return answer(io.sluice.durabletask.turn.Answers.task(index, "Ship", payload)).toBuilder()
                .setIsPartial(true)
                .setChunkIndex(com.google.protobuf.Int32Value.of(index))
                .build();
    }

    @Test
    void a_custom_status_of_a_quarter_megabyte_is_shown_whole() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        String instance = client.start(name, "1");
        worker.complete(worker.turn(instance), withStatus(answer(), "x".repeat(250_000)));

        assertThat(client.awaitStart(instance).getCustomStatus().getValue()).hasSize(250_000);
    }
}
