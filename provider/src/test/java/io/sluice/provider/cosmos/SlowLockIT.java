package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Batches that take longer than the lock they write lasts. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SlowLockIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    @Test
    void a_turn_whose_lock_ran_out_before_it_was_given_out_has_had_an_attempt() {
        var faults = account.requireEmulator().faults();
        CosmosStore store = fixture.store();
        SteppedClock clock = new SteppedClock(store.clock());
        CosmosProvider provider =
                CosmosProvider.builder().store(store).clock(clock).build();
        provider.enqueueForOrchestrator(start("order-1"), null);

        var slow = faults.runAfter(StoreFixture::isBatch, 1, request -> clock.step(LOCK.plusSeconds(1)));
        assertThat(fetchTurn(provider)).isNull();
        assertThat(slow.hits()).isEqualTo(1);

        clock.step(Duration.ofSeconds(10));
        assertThat(takeTurn(provider).attemptCount()).isEqualTo(2);
    }
}
