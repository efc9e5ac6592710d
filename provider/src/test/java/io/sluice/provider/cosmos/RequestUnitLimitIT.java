package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.LoggedRequest;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestUnitLimitIT {
    private static final int A_SECOND = 200;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;

    @BeforeEach
    void open() {
        account.requireEmulator();
        store = fixture.store();
    }

    @Test
    void what_a_process_asks_for_takes_no_more_than_its_limit_and_is_done_in_the_end() {
        store.limitRequestUnits(A_SECOND);
        CosmosProvider provider = CosmosProvider.builder().store(store).build();
        fixture.emulator().requests().clear();
        long beganNanos = System.nanoTime();

        for (int i = 0; i < 12; i++) {
            provider.enqueueForOrchestrator(start("order-" + i), null);
            provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
        }

        double seconds = Duration.ofNanos(System.nanoTime() - beganNanos).toMillis() / 1_000.0;
        double taken = fixture.dataRequests().stream()
                .mapToDouble(LoggedRequest::requestCharge)
                .sum();
        assertThat(taken).isGreaterThan(2.5 * A_SECOND);
        // The first second's are there at once; the last request may have cost more than was left.
        assertThat(taken).isLessThan((seconds + 2) * A_SECOND);
        assertThat(seconds).isGreaterThan(1);
    }

    @Test
    void a_store_has_one_limit() {
        store.limitRequestUnits(A_SECOND);

        assertThatThrownBy(() -> store.limitRequestUnits(A_SECOND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the store has a limit already");
    }

    @Test
    void a_limit_of_nothing_is_refused() {
        assertThatThrownBy(() -> store.limitRequestUnits(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("perSecond must be 1 or more, was 0");
    }
}
