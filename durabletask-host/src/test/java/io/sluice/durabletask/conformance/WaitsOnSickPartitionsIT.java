package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Waits for instances whose partitions do not answer. */
@Tag("thorough")
class WaitsOnSickPartitionsIT {
    /** So many that each looker has several of them in line. */
    private static final int SICK = 40;

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String sick = unique("sick");

    @Test
    void they_hold_up_no_wait_for_another_once_that_is_known_and_end_when_the_partitions_answer() {
        var unused = host.worker()
                .orchestrates(name, turn -> answer(completed(0, "42")))
                .connect();
        String well = client.start(name, "1");
        client.awaitEnd(well);
        IntStream.range(0, SICK)
                .forEach(i -> client.start(HubClient.request(sick).setInstanceId(sick + "-" + i)));
        FaultRule fault = host.emulator().faults().refuse(this::isSick, 0, 503, 0);
        Answers answers = new Answers();
        try (CancellableContext calls = Context.current().withCancellation()) {
            calls.run(() -> IntStream.range(0, SICK)
                    .forEach(i -> TaskHubSidecarServiceGrpc.newStub(client.channel())
                            .waitForInstanceStart(HubClient.with(sick + "-" + i), answers)));

            Awaitility.await()
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> isAnswered(well));
            assertThat(isAnswered(well)).as("again").isTrue();
            assertThat(answers.got).as("of sick partitions").isEmpty();

            fault.remove();
            var unusedToo = host.worker().orchestrates(sick, turn -> answer()).connect();
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> answers.got.size() == SICK);
        }
    }

    private boolean isSick(LoggedRequest request) {
        return request.operation().isData()
                && request.partitionKey() != null
                && request.partitionKey().contains(sick);
    }

    /** Within the deadline of the call; a look that waits its turn behind the sick ones takes longer. */
    private boolean isAnswered(String instance) {
        try {
            return client.awaitEnd(instance).getOrchestrationStatus() == ORCHESTRATION_STATUS_COMPLETED;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    /** What the waits came to. */
    private static final class Answers implements StreamObserver<GetInstanceResponse> {
        private final ConcurrentLinkedQueue<GetInstanceResponse> got = new ConcurrentLinkedQueue<>();

        @Override
        public void onNext(GetInstanceResponse answer) {
            got.add(answer);
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
