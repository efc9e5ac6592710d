package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.isBatch;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An instance with more messages than one batch can tag: what goes wrong with the second batch costs neither the lock
 * nor an attempt.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LargeBacklogIT {
    private static final List<WorkItem> SIGNALS = IntStream.range(0, 150)
            .mapToObj(i -> raised("order-1", "signal " + i))
            .toList();

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private SteppedClock clock;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        clock = new SteppedClock(fixture.store().clock());
        provider = fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
        beginInstance(provider, "order-1");
        SIGNALS.forEach(signal -> provider.enqueueForOrchestrator(signal, null));
    }

    @Test
    void a_second_batch_that_did_not_arrive_is_sent_again() {
        FaultRule lost = emulator.faults().dropConnection(StoreFixture::isBatch, 2);

        LockedTurn turn = Objects.requireNonNull(fetchTurn(provider), "the lock is held, and nobody has it");

        assertThat(lost.hits()).isEqualTo(1);
        assertWhole(turn, SIGNALS);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {408, 500, 503})
    void a_second_batch_that_was_applied_without_an_answer_counts(int status) {
        emulator.faults().answerInstead(StoreFixture::isBatch, 2, status, 0);

        assertWhole(Objects.requireNonNull(fetchTurn(provider)), SIGNALS);
    }

    @Test
    void a_message_that_is_gone_when_it_is_to_be_tagged_costs_nothing_but_itself() {
        WorkItem gone = SIGNALS.get(120);
        LockedTurn turn;
        try (var window = NthRequest.doing(emulator, StoreFixture::isBatch, 2, () -> remove(gone))) {
            turn = Objects.requireNonNull(fetchTurn(provider), "the lock is held, and nobody has it");
            assertThat(window.happened()).isTrue();
        }

        List<WorkItem> others = new ArrayList<>(SIGNALS);
        others.remove(gone);
        assertWhole(turn, others);
    }

    @Test
    void a_second_batch_that_stays_without_an_answer_fails_the_fetch_and_all_come_again_in_order() {
        FaultRule first = emulator.faults().delay(StoreFixture::isBatch, 1, Duration.ZERO);
        emulator.faults().dropConnection(request -> isBatch(request) && first.hits() > 0, 0);

        assertThatThrownBy(() -> provider.fetchOrchestrationItem(Duration.ofSeconds(2), NO_WAIT, null))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue());

        emulator.faults().clear();
        clock.step(Duration.ofMinutes(1));
        assertThat(takeTurn(provider).item().messages()).isEqualTo(SIGNALS);
    }

    private void assertWhole(LockedTurn turn, List<WorkItem> messages) {
        assertThat(turn.item().messages()).isEqualTo(messages);
        assertThat(turn.attemptCount()).isEqualTo(1);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        assertThat(fixture.documents(fixture.store(), "order-1", "orch_queue")).isEmpty();
    }

    private void remove(WorkItem message) {
        CosmosStore store = fixture.store();
        String id = fixture.documents(store, "order-1", "orch_queue").stream()
                .filter(document -> WorkItemJson.encode(message)
                        .equals(document.path("workItem").asText()))
                .map(document -> document.path("id").asText())
                .findFirst()
                .orElseThrow();
        store.container()
                .deleteItem(id, new PartitionKey("order-1"), new CosmosItemRequestOptions())
                .block();
    }
}
