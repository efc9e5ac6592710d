package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** The first is slow, and passed over. */
    private static final int ANSWERS_OF_OPENING = 2;

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
    @ValueSource(ints = {-600, -30, 30, 600})
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

    @ParameterizedTest
    @ValueSource(ints = {-600, 600})
    void nothing_is_taken_by_a_process_whose_first_answer_bears_a_wrong_date(int secondsAhead) {
        CosmosEmulator emulator = account.requireEmulator();
        right.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(right);
        right.enqueueForWorker(activity("order-2", 2));
        LockedWorkItem item = takeActivity(right);
        AtomicInteger asked = new AtomicInteger();
        emulator.faults()
                .runBefore(
                        request -> request.operation() == RequestKind.CONTAINER_READ,
                        0,
                        request -> emulator.setClockOffset(
                                asked.incrementAndGet() <= ANSWERS_OF_OPENING
                                        ? Duration.ofSeconds(secondsAhead)
                                        : Duration.ZERO));

        CosmosProvider late;
        try {
            late = fixture.provider();
        } finally {
            emulator.setClockOffset(Duration.ZERO);
        }

        assertThat(late.clockOffset()).isBetween(Duration.ofSeconds(-2), Duration.ofSeconds(2));
        assertThat(fetchTurn(late)).isNull();
        assertThat(late.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly()))
                .isEmpty();
        right.ackOrchestrationItem(firstAck(turn));
        right.ackWorkItem(item.lockToken(), null);
    }

    private CosmosProvider off(int secondsAhead) {
        var machine = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(secondsAhead));
        return fixture.provider(CosmosProvider.builder().reconciler(false).machineClock(machine));
    }
}
