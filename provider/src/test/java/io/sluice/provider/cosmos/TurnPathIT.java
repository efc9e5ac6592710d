package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.KvEntry;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
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
    void an_orchestration_runs_from_start_to_end() {
        provider.enqueueForOrchestrator(start("order-1"), null);

        LockedTurn first = takeTurn(provider);
        provider.ackOrchestrationItem(firstAck(first).withWorkerItems(List.of(activity("order-1", 2))));
        LockedWorkItem work = takeActivity(provider);
        provider.ackWorkItem(work.lockToken(), completed("order-1", 2));
        LockedTurn second = takeTurn(provider);
        var last = event("order-1", 2, new EventKind.OrchestrationCompleted("shipped"));
        provider.ackOrchestrationItem(TurnAck.of(second.lockToken(), 1)
                .withHistory(List.of(last))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "shipped")));

        assertThat(first.item().orchestrationName()).isEqualTo("Order");
        assertThat(first.item().version()).isEqualTo("1.0.0");
        assertThat(first.item().executionId()).isEqualTo(1);
        assertThat(first.item().history()).isEmpty();
        assertThat(first.item().messages()).containsExactly(start("order-1"));
        assertThat(first.attemptCount()).isEqualTo(1);
        assertThat(work.item()).isEqualTo(activity("order-1", 2));
        assertThat(second.item().history()).containsExactly(started("order-1"));
        assertThat(second.item().messages()).containsExactly(completed("order-1", 2));
        assertThat(provider.read("order-1")).containsExactly(started("order-1"), last);
        assertThat(fetchTurn(provider)).isNull();
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

    @Covers("wire 53")
    @Test
    void messages_come_in_the_order_they_were_queued_within_one_millisecond_too() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        List<WorkItem> items = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            items.add(raised("order-1", "event " + i));
        }
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withOrchestratorItems(items));

        assertThat(takeTurn(provider).item().messages()).containsExactlyElementsOf(items);
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
    void custom_status_and_key_values_follow_the_turns() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn first = takeTurn(provider);
        provider.ackOrchestrationItem(TurnAck.of(first.lockToken(), 1)
                .withHistory(List.of(
                        event("order-1", 1, new EventKind.CustomStatusUpdated("packing")),
                        event("order-1", 2, new EventKind.KeyValueSet("path/like/key", "1", 77)),
                        event("order-1", 3, new EventKind.KeyValueSet("gone", "1", 77)),
                        event("order-1", 4, new EventKind.KeyValueCleared("gone")))));
        provider.enqueueForOrchestrator(raised("order-1", "end"), null);
        LockedTurn second = takeTurn(provider);

        assertThat(provider.getCustomStatus("order-1", 0)).contains(new CustomStatus("packing", 1));
        assertThat(provider.getCustomStatus("order-1", 1)).isEmpty();
        assertThat(provider.getCustomStatus("unknown", 0)).isEmpty();
        assertThat(provider.getKvAllValues("order-1")).containsOnlyKeys("path/like/key");
        assertThat(provider.getKvValue("order-1", "gone")).isEmpty();
        assertThat(second.item().kvSnapshot())
                .as("the running execution's values are not committed")
                .isEmpty();

        provider.ackOrchestrationItem(TurnAck.of(second.lockToken(), 1)
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "next")));
        provider.enqueueForOrchestrator(raised("order-1", "more"), null);

        assertThat(takeTurn(provider).item().kvSnapshot())
                .containsExactlyEntriesOf(java.util.Map.of("path/like/key", new KvEntry("1", 77)));
    }

    @Test
    void a_new_execution_begins_with_a_history_of_its_own() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn first = takeTurn(provider);
        var next = new WorkItem.ContinueAsNew("order-1", "Order", "again", "1.0.0", null, null, null, List.of(), null);
        provider.ackOrchestrationItem(firstAck(first)
                .withOrchestratorItems(List.of(next))
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "again")));
        LockedTurn second = takeTurn(provider);
        var restarted = io.sluice.provider.history.HistoryEvent.of(
                1, "order-1", 2, 5, "0.1.32", new EventKind.ExternalEvent("started", "again"));
        provider.ackOrchestrationItem(TurnAck.of(second.lockToken(), 2).withHistory(List.of(restarted)));
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);

        LockedTurn third = takeTurn(provider);

        assertThat(second.item().executionId()).isEqualTo(1);
        assertThat(third.item().executionId()).isEqualTo(2);
        assertThat(third.item().history()).containsExactly(restarted);
        assertThat(provider.readWithExecution("order-1", 1)).containsExactly(started("order-1"));
    }

    @Covers("wire 3")
    @Test
    void an_incompatible_instance_hides_no_compatible_one() {
        for (String instance : List.of("old-1", "old-2", "new-1")) {
            provider.enqueueForOrchestrator(start(instance), null);
            LockedTurn turn = takeTurn(provider);
            SemanticVersion pin = SemanticVersion.of(0, instance.startsWith("old") ? 1 : 2, 0);
            provider.ackOrchestrationItem(firstAck(turn).withMetadata(ExecutionMetadata.NONE.withPinnedVersion(pin)));
        }
        for (String instance : List.of("old-1", "old-2", "new-1")) {
            provider.enqueueForOrchestrator(raised(instance, "x"), null);
        }
        var onlyNew = new DispatcherCapabilityFilter(
                List.of(new SemverRange(SemanticVersion.of(0, 2, 0), SemanticVersion.of(0, 3, 0))));

        var found = provider.fetchOrchestrationItem(LOCK, NO_WAIT, onlyNew);
        var none = provider.fetchOrchestrationItem(LOCK, NO_WAIT, onlyNew);
        var any = provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);

        assertThat(found)
                .hasValueSatisfying(turn -> assertThat(turn.item().instance()).isEqualTo("new-1"));
        assertThat(none).isEmpty();
        assertThat(any).hasValueSatisfying(turn -> {
            assertThat(turn.item().instance()).isEqualTo("old-1");
            assertThat(turn.attemptCount()).as("skipping counts no attempt").isEqualTo(1);
        });
    }

    @Test
    void a_corrupt_history_is_reported_and_never_shortened() {
        beginInstance(provider, "order-1");
        var corrupt = io.sluice.provider.document.DocumentJson.parse(
                "{\"id\":\"order-1:history:1:2\",\"instanceId\":\"order-1\",\"type\":\"history\",\"executionId\":1,\"eventId\":2,\"eventData\":\"{\"}");
        fixture.store().container().createItem(corrupt).block();
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        CosmosProvider other = fixture.provider();

        LockedTurn turn = takeTurn(other);

        assertThat(turn.item().historyError()).contains("event 2");
        assertThat(turn.item().history()).isEmpty();
        assertThatThrownBy(() -> other.read("order-1"))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse());
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
