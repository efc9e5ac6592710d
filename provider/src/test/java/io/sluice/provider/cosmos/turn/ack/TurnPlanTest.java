package io.sluice.provider.cosmos.turn.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.IntentDocument;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.Stored;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.document.UnknownFields;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnPlanTest {
    private static final long NOW = 1_740_000_000_000L;
    private static final String SOURCE = "order-7";
    private static final String TOKEN = "token-1";

    private final TimeOrderedIds ids = new TimeOrderedIds(new SplittableRandom(1));

    @Test
    void the_instance_comes_first_so_that_a_lost_lock_is_what_the_store_reports() {
        TurnPlan plan = plan(anAck().withHistory(List.of(started(1))), aTurn());

        assertThat(plan.writes().get(0)).isInstanceOf(BatchWrite.Replace.class);
        assertThat(((BatchWrite.Replace) plan.writes().get(0)).ifMatch()).isEqualTo("etag-1");
        assertThat(plan.writes())
                .extracting(BatchWrite::id)
                .containsExactly("order-7:instance", "m1", "order-7:history:1:1");
        assertThat(plan.after().lockToken()).isNull();
    }

    @Test
    void a_turn_that_says_nothing_changes_nothing_but_time_and_lock() {
        TurnPlan plan = plan(anAck(), aTurn());

        assertThat(plan.after()).isEqualTo(instance().unlocked(NOW));
    }

    @Test
    void documents_known_to_be_gone_are_left_out() {
        var input = new TurnPlan.Input(
                new Stored<>(instance(), "etag-1"),
                aTurn(),
                true,
                List.of("w1", "w2"),
                Set.of("w2", "m1"),
                new TurnSettings(true, 8, TurnSettings.DELIVERY_TIMEOUT, false, false, false),
                ids,
                NOW);

        TurnPlan plan = TurnPlan.of(anAck(), input);

        assertThat(plan.writes()).extracting(BatchWrite::id).containsExactly("order-7:instance", "w1");
    }

    @Nested
    class Executions {
        @Test
        void the_end_of_an_execution_sets_status_and_output_together() {
            var metadata = ExecutionMetadata.NONE.withStatus("Completed", null);
            InstanceDocument before = withOutput("old");

            TurnPlan plan = plan(anAck().withMetadata(metadata), aTurn(), before);

            assertThat(plan.after().status()).isEqualTo("Completed");
            assertThat(plan.after().output())
                    .as("an absent output clears the old one")
                    .isNull();
        }

        @Test
        @Covers("wire 38")
        void the_next_execution_of_a_live_instance_is_running_again() {
            InstanceDocument continued = new InstanceDocument(
                    SOURCE,
                    "Order",
                    "1.0.0",
                    1,
                    "ContinuedAsNew",
                    "next input",
                    null,
                    1_032L,
                    null,
                    0,
                    TOKEN,
                    NOW + 5_000,
                    1,
                    2,
                    null,
                    UnknownFields.NONE);

            TurnPlan plan = plan(TurnAck.of(TOKEN, 2).withHistory(List.of(started(2))), aTurn(), continued);

            assertThat(plan.after().status())
                    .as("a live instance must not look finished")
                    .isEqualTo("Running");
            assertThat(plan.after().output()).isNull();
            assertThat(plan.after().currentExecutionId()).isEqualTo(2);
            assertThat(plan.after().pinnedVersionPacked())
                    .as("a pin belongs to its execution")
                    .isNull();
        }

        @Covers("wire 41")
        @Test
        void the_current_execution_never_goes_back() {
            InstanceDocument third = new InstanceDocument(
                    SOURCE,
                    "Order",
                    "1.0.0",
                    3,
                    "Running",
                    null,
                    null,
                    null,
                    null,
                    0,
                    TOKEN,
                    NOW + 5_000,
                    1,
                    2,
                    null,
                    UnknownFields.NONE);
            var late = TurnAck.of(TOKEN, 2).withMetadata(ExecutionMetadata.NONE.withStatus("Failed", "late"));

            TurnPlan plan = plan(late, aTurn(), third);

            assertThat(plan.after().currentExecutionId()).isEqualTo(3);
            assertThat(plan.after().status()).isEqualTo("Running");
        }

        @Test
        void names_pin_and_parent_are_stored_when_given() {
            var metadata = ExecutionMetadata.NONE
                    .withOrchestration("Ship", "2.1.0")
                    .withParent("order-1")
                    .withPinnedVersion(SemanticVersion.of(0, 1, 32));

            HeldTurn.Contents turn = aTurn();
            var first = new HeldTurn.Contents(turn.messages(), turn.keyValues(), turn.openIntents(), true, false);

            InstanceDocument after = plan(anAck().withMetadata(metadata), first).after();

            assertThat(after.orchestrationName()).isEqualTo("Ship");
            assertThat(after.orchestrationVersion()).isEqualTo("2.1.0");
            assertThat(after.parentInstanceId()).isEqualTo("order-1");
            assertThat(after.pinnedVersionPacked()).isEqualTo(1_032);
        }

        @Test
        void the_last_custom_status_counts_and_its_version_grows_by_one_per_turn() {
            var delta = List.of(
                    event(1, new EventKind.CustomStatusUpdated("a")), event(2, new EventKind.CustomStatusUpdated("b")));

            InstanceDocument after = plan(anAck().withHistory(delta), aTurn()).after();

            assertThat(after.customStatus()).isEqualTo("b");
            assertThat(after.customStatusVersion()).isEqualTo(1);
        }
    }

    @Nested
    class Queues {
        @Covers("wire 53")
        @Test
        void messages_of_one_ack_keep_their_order_within_the_millisecond() {
            List<WorkItem> items = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                items.add(raised(SOURCE, "e" + i));
            }

            List<QueueDocument> created = queued(plan(anAck().withOrchestratorItems(items), aTurn()));

            created.sort(QueueDocument.FIFO);
            assertThat(created)
                    .extracting(QueueDocument::workItem)
                    .isEqualTo(items.stream().map(WorkItemJson::encode).toList());
        }

        @Test
        void a_timer_is_visible_when_it_fires() {
            var timer = new WorkItem.TimerFired(SOURCE, 1, 4, NOW + 9_000);

            List<QueueDocument> created = queued(plan(anAck().withOrchestratorItems(List.of(timer)), aTurn()));

            assertThat(created)
                    .singleElement()
                    .extracting(QueueDocument::visibleAt)
                    .isEqualTo(NOW + 9_000);
        }

        @Test
        void an_activity_scheduled_and_cancelled_in_one_turn_is_never_queued() {
            var ack = anAck().withWorkerItems(List.of(activity(SOURCE, 2), activity(SOURCE, 3)))
                    .withCancelledActivities(List.of(new ScheduledActivityIdentifier(SOURCE, 1, 2)));

            assertThat(queued(plan(ack, aTurn())))
                    .singleElement()
                    .extracting(QueueDocument::activityId)
                    .isEqualTo(3L);
        }
    }

    @Nested
    class Intents {
        @Covers("wire 23")
        @Test
        void what_is_for_others_becomes_intents_in_order_worker_items_first() {
            var ack = anAck().withOrchestratorItems(
                            List.of(raised("child-1", "a"), raised(SOURCE, "own"), raised("child-2", "b")))
                    .withWorkerItems(List.of(activity("child-3", 5)));

            TurnPlan plan = plan(ack, aTurn());

            assertThat(plan.intents())
                    .extracting(IntentDocument::targetInstanceId)
                    .containsExactly("child-3", "child-1", "child-2");
            assertThat(plan.intents())
                    .extracting(intent -> key(intent).substring(key(intent).length() - 7))
                    .containsExactly(".000000", ".000001", ".000002");
            QueueDocument target = QueueDocument.fromJson(
                    DocumentJson.parse(plan.intents().get(1).payload()));
            assertThat(target.id()).isEqualTo("outbox:" + key(plan.intents().get(1)));
            assertThat(target.instanceId()).isEqualTo("child-1");
        }

        @Test
        void a_turns_intents_are_later_than_everything_before_whatever_the_clock_says() {
            InstanceDocument ahead = new InstanceDocument(
                    SOURCE,
                    "Order",
                    "1",
                    1,
                    "Running",
                    null,
                    null,
                    null,
                    null,
                    0,
                    TOKEN,
                    NOW + 5_000,
                    1,
                    NOW + 60_000,
                    null,
                    UnknownFields.NONE);
            Intent open = openIntent("other", NOW + 90_000);

            TurnPlan plan = plan(anAck().withOrchestratorItems(List.of(raised("child", "a"))), aTurn(open), ahead);

            IntentDocument intent = plan.intents().get(0);
            assertThat(intent.createdAt()).isEqualTo(NOW + 90_001);
            assertThat(plan.after().updatedAt()).isEqualTo(NOW + 90_001);
            assertThat(QueueDocument.fromJson(DocumentJson.parse(intent.payload()))
                            .enqueuedAt())
                    .isEqualTo(NOW + 90_001);
        }

        @Test
        void the_relay_waits_for_the_acks_own_try_and_only_for_that() {
            var ack = anAck().withOrchestratorItems(List.of(raised("free", "a"), raised("waiting", "b")));
            Intent open = openIntent("waiting", NOW - 10);

            List<IntentDocument> intents = plan(ack, aTurn(open)).intents();
            List<IntentDocument> left = TurnPlan.of(
                            ack,
                            input(
                                    aTurn(),
                                    instance(),
                                    new TurnSettings(false, 8, TurnSettings.DELIVERY_TIMEOUT, true, false, false)))
                    .intents();

            assertThat(intents.get(0).deliverAfter()).isEqualTo(intents.get(0).createdAt() + 1_000);
            assertThat(intents.get(1).deliverAfter())
                    .as("its pair has an earlier intent under way, so it is left to the relay")
                    .isEqualTo(intents.get(1).createdAt());
            assertThat(left).allSatisfy(intent -> {
                assertThat(intent.deliverAfter()).isEqualTo(intent.createdAt());
                assertThat(intent.status()).as("beside Rust writers").isEqualTo(IntentStatus.QUEUED);
            });
        }

        private static String key(IntentDocument intent) {
            return intent.idempotencyKey();
        }
    }

    @Nested
    class Limits {
        @Test
        void a_turn_of_more_operations_than_one_batch_holds_fits_none() {
            List<WorkItem> items = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                items.add(activity(SOURCE, i));
            }

            TurnPlan plan = plan(anAck().withWorkerItems(items), aTurn());

            assertThat(plan.writes()).hasSize(103);
            assertThat(plan.fitsOneBatch()).isFalse();
        }

        @Test
        void a_turn_of_more_bytes_than_one_batch_holds_fits_none() {
            String big = "x".repeat(1_000_000);

            TurnPlan plan =
                    plan(anAck().withOrchestratorItems(List.of(raised(SOURCE, big), raised(SOURCE, big))), aTurn());

            assertThat(plan.fitsOneBatch()).isFalse();
        }

        @Test
        void an_event_over_two_megabytes_is_named_before_anything_is_written() {
            var big = event(9, new EventKind.ActivityCompleted("\"".repeat(1_000_000)));

            assertThatThrownBy(() -> plan(anAck().withHistory(List.of(big)), aTurn()))
                    .as("quotes are escaped twice, which doubles them and more")
                    .isInstanceOf(ProviderException.class)
                    .hasMessageContaining("event 9")
                    .hasMessageContaining(SOURCE)
                    .hasMessageContaining("limit is " + QueueDocuments.MAX_DOCUMENT_BYTES);
        }

        @Test
        void a_target_the_store_cannot_hold_is_refused() {
            assertThatThrownBy(() -> plan(anAck().withOrchestratorItems(List.of(raised("a/b", "x"))), aTurn()))
                    .isInstanceOf(ProviderException.class)
                    .hasMessageContaining("a/b");
        }
    }

    private TurnPlan plan(TurnAck ack, HeldTurn.Contents contents) {
        return plan(ack, contents, instance());
    }

    private TurnPlan plan(TurnAck ack, HeldTurn.Contents contents, InstanceDocument before) {
        return TurnPlan.of(
                ack,
                input(contents, before, new TurnSettings(true, 8, TurnSettings.DELIVERY_TIMEOUT, false, false, false)));
    }

    private TurnPlan.Input input(HeldTurn.Contents contents, InstanceDocument before, TurnSettings settings) {
        return new TurnPlan.Input(
                new Stored<>(before, "etag-1"), contents, contents.acked(), List.of(), Set.of(), settings, ids, NOW);
    }

    private static List<QueueDocument> queued(TurnPlan plan) {
        List<QueueDocument> created = new ArrayList<>();
        for (BatchWrite write : plan.writes()) {
            if (write instanceof BatchWrite.Create create && create.document().has("workItem")) {
                created.add(QueueDocument.fromJson(create.document()));
            }
        }
        return created;
    }

    private static HeldTurn.Contents aTurn(Intent... open) {
        QueueDocument message = QueueDocuments.message("test", "m1", raised(SOURCE, "go"), NOW - 100, NOW - 100);
        return new HeldTurn.Contents(List.of(message), KeyValues.NONE, List.of(open), false, true);
    }

    private static InstanceDocument instance() {
        return InstanceDocument.skeleton(SOURCE, "Order", "1.0.0", NOW - 1_000).locked(TOKEN, NOW + 5_000, NOW - 500);
    }

    private static InstanceDocument withOutput(String output) {
        return new InstanceDocument(
                SOURCE,
                "Order",
                "1.0.0",
                1,
                "Running",
                output,
                null,
                null,
                null,
                0,
                TOKEN,
                NOW + 5_000,
                1,
                2,
                null,
                UnknownFields.NONE);
    }

    private static TurnAck anAck() {
        return TurnAck.of(TOKEN, 1);
    }

    private static HistoryEvent started(long execution) {
        return HistoryEvent.of(
                1, SOURCE, execution, NOW, "0.1.32", new EventKind.ExternalEvent("started", "stands for any event"));
    }

    private static HistoryEvent event(long id, EventKind kind) {
        return HistoryEvent.of(id, SOURCE, 1, NOW, "0.1.32", kind);
    }

    private static WorkItem raised(String instance, String data) {
        return new WorkItem.ExternalRaised(instance, "signal", data);
    }

    private static WorkItem activity(String instance, long id) {
        return new WorkItem.ActivityExecute(instance, 1, id, "charge", "{}", null, null);
    }

    private static Intent openIntent(String target, long createdAt) {
        return Intent.of(
                new IntentDocument(
                        SOURCE,
                        SOURCE + ":1:0123456789abcdef.000000",
                        target,
                        "orch_queue",
                        "{}",
                        IntentStatus.PENDING,
                        createdAt,
                        0,
                        null,
                        createdAt,
                        Dispatch.NONE),
                "etag");
    }
}
