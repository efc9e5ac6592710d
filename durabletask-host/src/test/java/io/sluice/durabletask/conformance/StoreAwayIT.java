package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a host tells operators while its store, or a part of it, takes connections and answers nothing. */
class StoreAwayIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final String name = unique("Order");
    private final CountDownLatch answers = new CountDownLatch(1);

    @AfterEach
    void answerAgain() {
        answers.countDown();
    }

    private FaultRule silent(Predicate<LoggedRequest> which) {
        return host.emulator().faults().runBefore(which, 0, request -> awaitAnswers());
    }

    private void awaitAnswers() {
        try {
            answers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_store_that_does_not_answer_makes_the_host_not_ready_with_the_reason_until_it_answers() {
        DurableTaskHost served = host.host().host();
        HubClient client = host.client();
        var unused = host.worker()
                .orchestrates(name, turn -> answer(completed(0, "42")))
                .connect();
        assertThat(client.awaitEnd(client.start(name, "1")).getOutput()).isEqualTo(Wire.text("42"));
        FaultRule silence = silent(request -> true);

        await().atMost(PATIENCE).until(() -> !served.faults().isEmpty());

        assertThat(served.faults())
                .singleElement()
                .asString()
                .matches("calls to the store of task hub 'default' have"
                        + " failed for \\d+ s: .* failed: .*no answer from the store: .*");
        assertThat(served.status())
                .containsEntry("ready", false)
                .extractingByKey("default")
                .asString()
                .contains("store=calls to the store");
        host.host().closeWorkers();
        silence.remove();
        answers.countDown();
        await("nobody calls, and yet it notices")
                .atMost(PATIENCE)
                .until(() -> served.faults().isEmpty());
        assertThat(served.status()).containsEntry("ready", true);
    }

    @Test
    void one_partition_of_several_that_does_not_answer_leaves_the_host_ready() {
        String range = host.emulator()
                .partitions()
                .of(host.store().database(), host.store().container())
                .get(0)
                .id();
        String sick = unique("sick");
        FaultRule silence = silent(request -> request.container() != null
                && (range.equals(request.keyRange())
                        || String.valueOf(request.partitionKey()).contains(sick)));
        try {
            // Nothing but calls that fail: nobody works, and the instance's partition does not answer.
            HubClient client = host.client();
            await().atMost(PATIENCE).until(() -> fails(client, sick));
            await().atMost(PATIENCE)
                    .until(() -> host.host().provider().storeFailure().isEmpty());

            assertThat(host.host().host().faults()).isEmpty();
            assertThat(silence.hits()).isPositive();
        } finally {
            silence.remove();
        }
    }

    private static boolean fails(HubClient client, String instance) {
        try {
            client.state(instance);
            return false;
        } catch (io.grpc.StatusRuntimeException e) {
            return true;
        }
    }
}
