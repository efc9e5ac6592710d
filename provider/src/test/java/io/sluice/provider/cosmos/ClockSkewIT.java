package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines whose clocks are half a minute apart work on one store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClockSkewIT {
    /** Much shorter than the clocks are apart. */
    private static final Duration LOCK = Duration.ofSeconds(10);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider right;

    @BeforeEach
    void open() {
        right = fixture.provider();
    }

    @ParameterizedTest
    @ValueSource(ints = {-30, 30})
    @Covers("wire 51")
    void no_lock_is_stolen_and_no_attempt_burnt_by_a_clock_that_is_off(int secondsAhead) {
        CosmosProvider off = off(secondsAhead);
        assertThat(off.clockOffset())
                .isBetween(Duration.ofSeconds(-secondsAhead - 2), Duration.ofSeconds(-secondsAhead + 2));

        right.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn mine =
                right.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null).orElseThrow();
        assertThat(fetchTurn(off)).as("locked by the one whose clock is right").isNull();
        right.ackOrchestrationItem(firstAck(mine));

        off.enqueueForOrchestrator(raised("order-1", "from the machine that is off"), null);
        LockedTurn theirs =
                off.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null).orElseThrow();
        assertThat(theirs.attemptCount()).isEqualTo(1);
        assertThat(fetchTurn(right)).as("locked by the one whose clock is off").isNull();
        off.renewOrchestrationItemLock(theirs.lockToken(), LOCK);
        off.ackOrchestrationItem(TurnAck.of(theirs.lockToken(), 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-30, 30})
    @Covers("wire 51")
    void activities_and_delays_go_by_the_services_time(int secondsAhead) {
        CosmosProvider off = off(secondsAhead);

        off.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem mine = right.fetchWorkItem(LOCK, Duration.ofSeconds(30), null, TagFilter.defaultOnly())
                .orElseThrow();
        assertThat(off.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly()))
                .isEmpty();
        right.abandonWorkItem(mine.lockToken(), null, true);
        LockedWorkItem theirs = takeActivity(off);
        assertThat(theirs.attemptCount()).isEqualTo(1);
        assertThat(right.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly()))
                .isEmpty();
        off.renewWorkItemLock(theirs.lockToken(), LOCK);
        off.ackWorkItem(theirs.lockToken(), null);

        off.enqueueForOrchestrator(start("order-2"), Duration.ofSeconds(20));
        assertThat(fetchTurn(right)).as("not due yet").isNull();
        assertThat(fetchTurn(off)).as("not due yet").isNull();
        off.enqueueForOrchestrator(start("order-3"), null);
        assertThat(takeTurn(right).item().instance()).isEqualTo("order-3");
    }

    private CosmosProvider off(int secondsAhead) {
        var machine = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(secondsAhead));
        return fixture.provider(CosmosProvider.builder().reconciler(false).machineClock(machine));
    }
}
