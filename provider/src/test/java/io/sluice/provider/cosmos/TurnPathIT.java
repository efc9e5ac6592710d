package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Turns and activities end to end, through the official SDK. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnPathIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    @BeforeEach
    void open() {
        provider = fixture.provider();
    }

    @Test
    void another_process_finds_what_this_one_left() {
        CosmosProvider other = fixture.provider();
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);

        LockedTurn turn = takeTurn(other);

        assertThat(turn.item().history()).containsExactly(started("order-1"));
        assertThat(turn.item().messages()).containsExactly(raised("order-1", "x"));
        provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        assertThatThrownBy(() -> other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)))
                .as("the token is spent, wherever that happened")
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse());
    }

    @Test
    void an_abandoned_turn_comes_back_and_counts_its_attempts() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn first = takeTurn(provider);

        provider.abandonOrchestrationItem(first.lockToken(), null, false);
        LockedTurn second = takeTurn(provider);
        provider.abandonOrchestrationItem(second.lockToken(), null, true);
        LockedTurn third = takeTurn(provider);

        assertThat(second.attemptCount()).isEqualTo(2);
        assertThat(third.attemptCount()).as("the last attempt was taken back").isEqualTo(2);
        assertThat(third.item().messages()).containsExactly(start("order-1"));
        assertThatThrownBy(() -> provider.abandonOrchestrationItem(first.lockToken(), null, false))
                .isInstanceOf(ProviderException.class);
    }

    @Test
    void a_delay_hides_a_turn_and_what_arrived_meanwhile_is_seen() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn first = takeTurn(provider);
        provider.enqueueForOrchestrator(raised("order-1", "late"), null);

        provider.abandonOrchestrationItem(first.lockToken(), Duration.ofMinutes(5), false);

        assertThat(fetchTurn(provider))
                .as("an instance that never started, with a signal alone, waits for its start")
                .isNull();
        assertThat(provider.getCustomStatus("order-1", 0)).isEmpty();
    }

    @Covers({"wire 30", "wire 39"})
    @Test
    void an_early_signal_waits_for_the_start_and_orphan_queue_messages_are_dropped() {
        provider.enqueueForOrchestrator(raised("early", "x"), null);
        provider.enqueueForOrchestrator(new WorkItem.QueueMessage("orphan", "q", "x"), null);
        assertThat(fetchTurn(provider)).isNull();

        provider.enqueueForOrchestrator(start("early"), null);
        provider.enqueueForOrchestrator(start("orphan"), null);
        LockedTurn early = takeTurn(provider);
        LockedTurn orphan = takeTurn(provider);

        assertThat(early.item().instance()).isEqualTo("early");
        assertThat(early.item().messages()).containsExactly(raised("early", "x"), start("early"));
        assertThat(early.attemptCount()).isEqualTo(1);
        assertThat(orphan.item().messages()).containsExactly(start("orphan"));
    }

    @Test
    void a_waiting_fetch_is_woken_by_work_of_the_same_process() throws Exception {
        var waiting = java.util.concurrent.CompletableFuture.supplyAsync(() -> takeTurn(provider));

        provider.enqueueForOrchestrator(start("order-1"), Duration.ofMillis(300));

        assertThat(waiting.get(5, java.util.concurrent.TimeUnit.SECONDS).item().instance())
                .isEqualTo("order-1");
    }

    @Covers("wire 8")
    @Test
    void cancelled_activities_are_gone_and_their_worker_learns_it() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(
                firstAck(takeTurn(provider)).withWorkerItems(List.of(activity("order-1", 2), activity("order-1", 3))));
        LockedWorkItem running = takeActivity(provider);
        provider.enqueueForOrchestrator(raised("order-1", "cancel"), null);
        LockedTurn turn = takeTurn(provider);

        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withCancelledActivities(List.of(
                        new ScheduledActivityIdentifier("order-1", 1, 2),
                        new ScheduledActivityIdentifier("order-1", 1, 3),
                        new ScheduledActivityIdentifier("order-1", 1, 99))));

        assertThatThrownBy(() -> provider.renewWorkItemLock(running.lockToken(), LOCK))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse());
        assertThatThrownBy(() -> provider.ackWorkItem(running.lockToken(), completed("order-1", 2)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse());
        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any())).isEmpty();
        assertThat(fetchTurn(provider))
                .as("a completion of a cancelled activity is not queued")
                .isNull();
    }
}
