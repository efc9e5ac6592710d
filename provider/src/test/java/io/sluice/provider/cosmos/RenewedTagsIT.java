package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.isBatch;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The lock of a turn is renewed with the tags of its messages. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RenewedTagsIT {
    private static final Duration LONGER = Duration.ofMinutes(10);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private SteppedClock clock;
    private CosmosProvider provider;
    private CosmosProvider other;

    @BeforeEach
    void open() {
        account.requireEmulator();
        store = fixture.store();
        clock = new SteppedClock(store.clock());
        provider = CosmosProvider.builder().store(store).clock(clock).build();
        other = fixture.provider(CosmosProvider.builder().clock(clock));
        provider.enqueueForOrchestrator(start("order-1"), null);
    }

    @Test
    void messages_of_a_renewed_turn_do_not_look_free_to_others() {
        LockedTurn turn = takeTurn(provider);
        provider.renewOrchestrationItemLock(turn.lockToken(), LONGER);
        clock.step(LOCK.plusSeconds(1));
        fetchTurn(other);
        fixture.emulator().requests().clear();

        clock.step(Duration.ofSeconds(6));
        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();

        assertThat(fixture.dataRequests())
                .as("no partition is looked at in vain")
                .noneMatch(request -> "[\"order-1\"]".equals(request.partitionKey()));
        provider.ackOrchestrationItem(firstAck(turn));
        assertThat(provider.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    void a_hundred_messages_take_a_second_batch() {
        for (int i = 0; i < 120; i++) {
            provider.enqueueForOrchestrator(raised("order-1", "signal " + i), null);
        }
        LockedTurn turn = takeTurn(provider);
        fixture.emulator().requests().clear();

        provider.renewOrchestrationItemLock(turn.lockToken(), LONGER);

        assertThat(fixture.dataRequests())
                .extracting(LoggedRequest::operation)
                .containsExactly(RequestKind.BATCH, RequestKind.BATCH);
        long until = clock.millis() + LOCK.toMillis();
        assertThat(fixture.documents(store, "order-1", "orch_queue"))
                .hasSize(121)
                .allSatisfy(message ->
                        assertThat(message.get("lockedUntil").asLong()).isGreaterThan(until));
    }

    @Test
    void a_lock_that_was_renewed_stays_so_when_the_store_takes_no_further_tags() {
        for (int i = 0; i < 120; i++) {
            provider.enqueueForOrchestrator(raised("order-1", "signal " + i), null);
        }
        LockedTurn turn = takeTurn(provider);
        var first = fixture.emulator().faults().delay(StoreFixture::isBatch, 1, Duration.ZERO);
        var busy = fixture.emulator().faults().refuse(request -> isBatch(request) && first.hits() > 0, 0, 429, 3200);

        provider.renewOrchestrationItemLock(turn.lockToken(), LONGER);
        busy.remove();

        clock.step(LOCK.plusSeconds(1));
        assertThat(fetchTurn(other)).isNull();
        provider.ackOrchestrationItem(firstAck(turn));
    }

    @Test
    void a_renewal_that_meets_the_ack_brings_no_message_back() {
        LockedTurn turn = takeTurn(provider);
        Runnable ack = () -> provider.ackOrchestrationItem(firstAck(turn));

        try (var window = NthRequest.doing(fixture.emulator(), StoreFixture::isBatch, 1, ack)) {
            assertThatThrownBy(() -> provider.renewOrchestrationItemLock(turn.lockToken(), LONGER))
                    .isInstanceOf(ProviderException.class);
            assertThat(window.happened()).isTrue();
        }

        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEmpty();
        assertThat(provider.read("order-1")).containsExactly(started("order-1"));
    }
}
