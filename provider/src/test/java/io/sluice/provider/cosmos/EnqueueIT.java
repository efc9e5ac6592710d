package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is enqueued is queued once, whatever became of the tries, and however soon it is consumed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EnqueueIT {
    private static final WorkItem PAYMENT = raised("order-1", "pay 100");

    private static final int ALL = 0;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider client;
    private CosmosProvider runtime;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        client = fixture.provider();
        runtime = fixture.provider();
        client.enqueueForOrchestrator(start("order-1"), null);
        runtime.ackOrchestrationItem(firstAck(takeTurn(runtime)));
    }

    @Test
    void a_message_that_was_consumed_before_its_repetition_is_not_queued_again() {
        List<WorkItem> seen = new ArrayList<>();
        emulator.faults().answerInstead(EnqueueIT::isEnqueue, 1, 503, 0);
        try (NthRequest again = NthRequest.doing(emulator, EnqueueIT::isEnqueue, 2, () -> seen.addAll(consume()))) {

            client.enqueueForOrchestrator(PAYMENT, null);

            assertThat(again.happened()).as("it was repeated").isTrue();
        }
        assertThat(seen).containsExactly(PAYMENT);
        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEmpty();
    }

    @Test
    void a_try_that_arrives_after_its_repetition_was_consumed_creates_nothing() {
        try (HeldRequest late = HeldRequest.of(emulator, EnqueueIT::isEnqueue)) {
            client.enqueueForOrchestrator(PAYMENT, null);
            assertThat(consume()).containsExactly(PAYMENT);

            late.letGo();
        }
        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEmpty();
    }

    @Test
    void an_activity_that_was_done_before_its_repetition_is_not_queued_again() {
        emulator.faults().answerInstead(EnqueueIT::isEnqueue, 1, 503, 0);
        try (NthRequest again = NthRequest.doing(
                emulator,
                EnqueueIT::isEnqueue,
                2,
                () -> runtime.ackWorkItem(takeActivity(runtime).lockToken(), null))) {

            client.enqueueForWorker(activity("order-1", 2));

            assertThat(again.happened()).as("it was repeated").isTrue();
        }
        assertThat(fixture.documents(store, "order-1", "worker_queue")).isEmpty();
    }

    @Test
    void it_is_tried_until_its_time_is_over() {
        CosmosProvider patient =
                fixture.provider(CosmosProvider.builder().reconciler(false).enqueueTimeout(Duration.ofMinutes(1)));
        AtomicInteger tries = new AtomicInteger();
        FaultRule lost = emulator.faults()
                .answerInstead(request -> isEnqueue(request) && tries.incrementAndGet() <= 5, ALL, 503, 0);

        patient.enqueueForOrchestrator(PAYMENT, null);

        assertThat(lost.hits()).isEqualTo(5);
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
        assertThat(fixture.documents(store, "order-1", "receipt"))
                .allSatisfy(receipt -> assertThat(receipt.path("ttl").asInt())
                        .as("an hour: nothing is on its way that long")
                        .isEqualTo(3_600));
    }

    @Test
    void without_any_answer_it_fails_once_its_time_is_over() {
        CosmosProvider hasty =
                fixture.provider(CosmosProvider.builder().reconciler(false).enqueueTimeout(Duration.ofSeconds(1)));
        FaultRule refused = emulator.faults().refuse(EnqueueIT::isEnqueue, ALL, 503, 0);

        assertThatThrownBy(() -> hasty.enqueueForOrchestrator(PAYMENT, null))
                .asInstanceOf(InstanceOfAssertFactories.type(ProviderException.class))
                .satisfies(e -> assertThat(e.retryable()).isTrue());
        assertThat(refused.hits()).as("20 ms at first, doubling").isBetween(2, 12);
    }

    @Test
    void a_caller_may_repeat_under_an_id_of_its_own_also_from_another_process() {
        client.enqueueForOrchestrator(PAYMENT, null, "payment-1/2");
        assertThat(consume()).containsExactly(PAYMENT);
        client.enqueueForWorker(activity("order-1", 2), "payment-1/2");
        runtime.ackWorkItem(takeActivity(runtime).lockToken(), null);

        runtime.enqueueForOrchestrator(PAYMENT, null, "payment-1/2");
        runtime.enqueueForWorker(activity("order-1", 2), "payment-1/2");

        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEmpty();
        assertThat(fixture.documents(store, "order-1", "worker_queue")).isEmpty();
        client.enqueueForOrchestrator(PAYMENT, null, "payment-2");
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
        assertThatThrownBy(() -> client.enqueueForOrchestrator(PAYMENT, null, ""))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("requestId");
    }

    @Test
    void an_id_that_was_used_for_another_item_is_refused_rather_than_the_item_lost() {
        client.enqueueForOrchestrator(PAYMENT, null, "payment-1");
        client.enqueueForWorker(activity("order-1", 2), "payment-1");

        assertThatThrownBy(() -> client.enqueueForOrchestrator(raised("order-1", "pay 200"), null, "payment-1"))
                .asInstanceOf(InstanceOfAssertFactories.type(ProviderException.class))
                .satisfies(e -> assertThat(e.retryable()).isFalse())
                .satisfies(e -> assertThat(e).hasMessageContaining("requestId"));
        assertThatThrownBy(() -> client.enqueueForWorker(activity("order-1", 3), "payment-1"))
                .isInstanceOf(ProviderException.class);
        assertThat(consume()).containsExactly(PAYMENT);
    }

    private List<WorkItem> consume() {
        LockedTurn turn = takeTurn(runtime);
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        return turn.item().messages();
    }

    /** A batch that creates documents and changes none: no lock and no ack. */
    private static boolean isEnqueue(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().startsWith("create:")
                && !request.body().contains("instance")
                && !request.body().contains("patch:");
    }
}
