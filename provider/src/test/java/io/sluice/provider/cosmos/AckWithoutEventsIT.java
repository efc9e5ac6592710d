package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The answer to an ack without events is lost: the ack says what became of the turn, whoever had it afterwards. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AckWithoutEventsIT {
    private static final String INSTANCE = "order-1";
    private static final Duration LOCK = Duration.ofSeconds(30);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private CosmosProvider provider;
    private CosmosProvider other;
    private LockedTurn turn;

    @BeforeEach
    void open() {
        account.requireEmulator();
        provider = fixture.provider();
        other = fixture.providerAhead(ahead);
        beginInstance(provider, INSTANCE);
        provider.enqueueForOrchestrator(raised(INSTANCE, "a"), null);
        turn = takeTurn(provider);
    }

    private static TurnAck withoutEvents(LockedTurn turn) {
        return TurnAck.of(turn.lockToken(), turn.item().executionId());
    }

    private static TurnAck working(LockedTurn turn) {
        return withoutEvents(turn)
                .withWorkerItems(List.of(activity(INSTANCE, 7)))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done"));
    }

    private boolean isOfInstance(LoggedRequest request) {
        return request.partitionKey() != null && request.partitionKey().contains(INSTANCE);
    }

    /** Somebody else does this before the one who acks reads what became of it. */
    private void beforeItReads(Runnable work) {
        fixture.emulator()
                .faults()
                .runBefore(
                        request -> isOfInstance(request) && !StoreFixture.isBatch(request), 1, request -> work.run());
    }

    private void takeOverAndAck() {
        ahead.set(Duration.ofMinutes(5).toMillis());
        LockedTurn taken = takeTurn(other);
        other.ackOrchestrationItem(withoutEvents(taken));
    }

    @Test
    void what_another_consumed_is_no_success() {
        fixture.emulator().faults().dropConnection(StoreFixture::isBatch, 1);
        beforeItReads(this::takeOverAndAck);

        assertLockLost(() -> provider.ackOrchestrationItem(working(turn)));

        assertThat(provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.any()))
                .isEmpty();
    }

    @Test
    void what_was_committed_is_a_success_whoever_came_next() {
        fixture.emulator().faults().loseAnswer(StoreFixture::isBatch, 1);
        beforeItReads(() -> {
            other.enqueueForOrchestrator(raised(INSTANCE, "b"), null);
            assertThat(fetchTurn(other)).isNotNull();
        });

        provider.ackOrchestrationItem(working(turn));

        assertThat(provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.any()))
                .isPresent();
    }

    /** Its whole effect is there. */
    @Test
    void messages_that_another_consumed_are_consumed() {
        fixture.emulator().faults().dropConnection(StoreFixture::isBatch, 1);
        beforeItReads(this::takeOverAndAck);

        provider.ackOrchestrationItem(withoutEvents(turn));

        assertThat(fetchTurn(provider)).isNull();
    }
}
