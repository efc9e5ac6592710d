package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An instance whose first fetch led to nothing has not begun, whatever the dead left behind. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnstartedIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private SteppedClock clock;
    private CosmosProvider dead;
    private CosmosProvider alive;

    @BeforeEach
    void leaveBehind() {
        var store = fixture.store();
        clock = new SteppedClock(store.clock());
        dead = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(clock)
                .build();
        alive = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(clock)
                .build();
        dead.enqueueForOrchestrator(start("order-1"), null);
        takeTurn(dead);
        clock.step(LOCK.plusSeconds(1));
    }

    /** Found by the simulation, seeds 117 and 212. */
    @Test
    void a_signal_does_not_come_before_a_start_that_was_put_off() {
        alive.abandonOrchestrationItem(takeTurn(alive).lockToken(), Duration.ofHours(1), false);
        alive.enqueueForOrchestrator(raised("order-1", "early"), null);

        assertThat(fetchTurn(alive)).as("a turn without its start").isNull();

        clock.step(Duration.ofHours(2));
        var turn = takeTurn(alive);
        assertThat(turn.item().messages()).hasSize(2);
        alive.ackOrchestrationItem(firstAck(turn));
        assertThat(alive.read("order-1")).hasSize(1);
    }

    @Test
    void a_queue_message_waits_for_a_start_that_was_put_off() {
        alive.abandonOrchestrationItem(takeTurn(alive).lockToken(), Duration.ofHours(1), true);
        WorkItem payment = new WorkItem.QueueMessage("order-1", "payments", "100");
        alive.enqueueForOrchestrator(payment, null);

        assertThat(fetchTurn(alive)).as("a turn without its start").isNull();

        clock.step(Duration.ofHours(2));
        assertThat(takeTurn(alive).item().messages()).containsExactly(start("order-1"), payment);
    }

    @Test
    void a_queue_message_waits_for_a_start_that_is_delayed() {
        WorkItem payment = new WorkItem.QueueMessage("order-2", "payments", "100");
        takeTurn(alive);
        alive.enqueueForOrchestrator(start("order-2"), Duration.ofHours(1));
        alive.enqueueForOrchestrator(payment, null);

        assertThat(fetchTurn(alive)).as("a turn without its start").isNull();

        clock.step(Duration.ofHours(2));
        var turns = List.of(takeTurn(alive), takeTurn(alive));
        assertThat(turns)
                .filteredOn(turn -> turn.item().instance().equals("order-2"))
                .singleElement()
                .satisfies(turn ->
                        assertThat(turn.item().messages()).containsExactlyInAnyOrder(start("order-2"), payment));
    }

    @Test
    void to_judge_an_orphan_takes_one_query_more_and_only_then() {
        takeTurn(alive);
        alive.enqueueForOrchestrator(new WorkItem.QueueMessage("nobody", "payments", "100"), null);
        fixture.emulator().requests().clear();

        assertThat(fetchTurn(alive)).isNull();

        assertThat(fixture.dataRequests())
                .filteredOn(request -> request.body().contains("STARTSWITH(c.workItem"))
                .hasSize(1);
        fixture.emulator().requests().clear();
        assertThat(fetchTurn(alive)).isNull();
        assertThat(fixture.dataRequests()).noneMatch(request -> request.body().contains("STARTSWITH(c.workItem"));
    }

    @Test
    void an_event_to_nobody_is_dropped_for_what_a_queue_message_costs() {
        CosmosProvider dropping = fixture.provider(
                CosmosProvider.builder().reconciler(false).clock(clock).dropOrphanEvents(true));
        takeTurn(alive);

        long message = requestsToDrop(dropping, new WorkItem.QueueMessage("nobody", "payments", "100"));
        long event = requestsToDrop(dropping, raised("nobody", "early"));

        assertThat(event).isEqualTo(message);
        assertThat(fixture.documents(fixture.store(), "nobody", "orch_queue")).isEmpty();
    }

    private long requestsToDrop(CosmosProvider dropping, WorkItem orphan) {
        alive.enqueueForOrchestrator(orphan, null);
        fixture.emulator().requests().clear();
        assertThat(fetchTurn(dropping)).isNull();
        return fixture.dataRequests().stream()
                .filter(request -> "[\"nobody\"]".equals(request.partitionKey()))
                .count();
    }

    @Test
    void no_operator_sees_it_once_it_was_given_back() {
        alive.abandonOrchestrationItem(takeTurn(alive).lockToken(), Duration.ofHours(1), false);

        assertThat(alive.asManagementCapability().orElseThrow().listInstances()).isEmpty();
    }

    @Test
    void what_a_first_fetch_created_goes_when_its_turn_is_given_back() {
        alive.enqueueForOrchestrator(start("order-2"), null);
        takeTurn(alive);
        LockedTurn turn = takeTurn(alive);
        assertThat(turn.item().instance()).isEqualTo("order-2");

        alive.abandonOrchestrationItem(turn.lockToken(), null, false);

        assertThat(fixture.documents(fixture.store(), "order-2", "instance")).isEmpty();
        assertThat(takeTurn(alive).item().messages()).containsExactly(start("order-2"));
    }
}
