package io.sluice.provider.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What crosses partitions crosses once, whoever repeats what. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutboxIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final Duration LOCK = Duration.ofSeconds(30);

    private CosmosStore store;
    private CosmosProvider eager;
    private CosmosProvider leaving;
    private IntentOutbox outbox;
    private CommandInbox inbox;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        eager = CosmosProvider.builder().reconciler(false).store(store).build();
        leaving = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .immediateDelivery(false)
                .build();
        outbox = new IntentOutbox(store.container(), InstantSource.system());
        inbox = new CommandInbox(store.container(), InstantSource.system());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class TheAcksOwnTry {
        @Test
        void delivers_in_order_and_leaves_no_intent_behind() {
            send(eager, raised("target", "a"), raised("other", "x"), raised("target", "b"), start("target"));

            assertThat(outbox.undelivered("source")).isEmpty();
            assertThat(take(eager, "target").item().messages())
                    .containsExactly(raised("target", "a"), raised("target", "b"), start("target"));
        }

        @Test
        void stops_a_pair_at_its_first_failure_and_never_fails_the_ack() {
            FaultRule refused = emulator().faults().refuse(request -> delivers(request, "target"), 1, 429, 3200);

            send(eager, raised("target", "a"), start("target"), start("other"));

            assertThat(refused.hits()).isEqualTo(1);
            assertThat(outbox.undelivered("source"))
                    .extracting(Intent::targetInstance, Intent::position)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("target", 0),
                            org.assertj.core.groups.Tuple.tuple("target", 1));
            assertThat(take(eager, "other").item().messages()).containsExactly(start("other"));
        }

        @Test
        void leaves_a_pair_alone_while_an_earlier_intent_of_it_waits() {
            emulator().faults().refuse(request -> delivers(request, "target"), 1, 503, 0);
            send(eager, start("target"));
            emulator().faults().clear();

            goOn(raised("target", "later"));

            List<Intent> waiting = outbox.undelivered("source");
            assertThat(waiting).hasSize(2);
            assertThat(waiting.get(1).createdAtMillis())
                    .isGreaterThan(waiting.get(0).createdAtMillis());
            assertThat(waiting.get(1).deliverAfterMillis())
                    .isEqualTo(waiting.get(1).createdAtMillis());
        }

        @Test
        void leaves_a_pair_alone_also_after_acks_of_the_same_process_that_sent_nothing() {
            emulator().faults().refuse(request -> delivers(request, "target"), 1, 503, 0);
            send(eager, start("target"));
            emulator().faults().clear();
            goOn();

            goOn(raised("target", "later"));

            assertThat(outbox.undelivered("source"))
                    .as("what came later waits behind the start")
                    .extracting(intent -> DocumentJson.parse(intent.payload())
                            .path("workItem")
                            .asText())
                    .hasSize(2)
                    .element(0)
                    .asString()
                    .startsWith("{\"StartOrchestration\"");
        }

        /** One more turn of the source, in the process that acked the one before. */
        private void goOn(WorkItem... items) {
            eager.enqueueForOrchestrator(raised("source", "again"), null);
            LockedTurn turn = take(eager, "source");
            eager.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withOrchestratorItems(List.of(items)));
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Delivery {
        @Covers("wire 22")
        @Test
        void a_redelivery_after_the_message_was_consumed_creates_nothing() {
            Intent intent = leave(start("target"));

            DeliveryOutcome first = outbox.deliver(intent);
            leaving.ackOrchestrationItem(TurnAck.of(take(leaving, "target").lockToken(), 1));
            DeliveryOutcome second = outbox.deliver(intent);

            assertThat(first).isEqualTo(new DeliveryOutcome.Delivered(true));
            assertThat(second).isEqualTo(new DeliveryOutcome.Delivered(false));
            assertThat(leaving.fetchOrchestrationItem(LOCK, Duration.ZERO, null))
                    .isEmpty();
        }

        @Covers("wire 22")
        @Test
        void a_delivery_whose_answer_was_lost_is_settled_by_its_receipt() {
            Intent intent = leave(start("target"));
            emulator().faults().loseAnswer(request -> delivers(request, "target"), 1);

            DeliveryOutcome lost = outbox.deliver(intent);
            DeliveryOutcome again = outbox.deliver(intent);

            assertThat(lost).isInstanceOf(DeliveryOutcome.Transient.class);
            assertThat(again).isEqualTo(new DeliveryOutcome.Delivered(false));
        }

        @Test
        void a_document_that_a_writer_without_receipts_made_gets_its_receipt() {
            Intent intent = leave(start("target"));
            store.container().createItem(DocumentJson.parse(intent.payload())).block();

            DeliveryOutcome met = outbox.deliver(intent);
            leaving.ackOrchestrationItem(TurnAck.of(take(leaving, "target").lockToken(), 1));

            assertThat(met).isEqualTo(new DeliveryOutcome.Delivered(false));
            assertThat(outbox.deliver(intent))
                    .as("consumed, and still not created again")
                    .isEqualTo(new DeliveryOutcome.Delivered(false));
        }

        @Test
        void throttling_carries_the_pause_the_store_asks_for() {
            Intent intent = leave(start("target"));
            emulator().faults().refuse(request -> delivers(request, "target"), 1, 429, 3200);

            assertThat(outbox.deliver(intent))
                    .isInstanceOfSatisfying(
                            DeliveryOutcome.Transient.class,
                            outcome -> assertThat(outcome.retryAfter()).isPositive());
        }

        @Test
        void delivered_intents_are_removed_together_and_missing_ones_do_not_matter() {
            send(leaving, start("t1"), start("t2"), start("t3"));
            List<Intent> intents = outbox.undelivered("source");
            outbox.remove("source", List.of(intents.get(1)));

            outbox.remove("source", intents);

            assertThat(outbox.undelivered("source")).isEmpty();
        }

        @Test
        void a_parked_intent_keeps_its_first_error_and_counts_its_tries() {
            outbox.park(leave(start("target")), "first", 5_000);
            outbox.park(outbox.undelivered("source").get(0), "second", 9_000);

            Intent parked = outbox.undelivered("source").get(0);
            assertThat(parked.attempts()).isEqualTo(2);
            assertThat(parked.firstError()).isEqualTo("first");
            assertThat(parked.lastError()).isEqualTo("second");
            assertThat(parked.nextAttemptAtMillis()).isEqualTo(9_000);
        }

        @Test
        void a_payload_that_is_not_what_it_says_is_poison() {
            Intent intent = leave(start("target"));
            Intent broken = new Intent(
                    intent.sourceInstance(),
                    intent.key(),
                    "elsewhere",
                    intent.targetDocumentType(),
                    intent.payload(),
                    intent.status(),
                    1,
                    0,
                    1,
                    0,
                    0,
                    null,
                    null,
                    0,
                    true,
                    intent.etag(),
                    0,
                    null,
                    intent.dispatch());

            assertThat(outbox.deliver(broken)).isInstanceOf(DeliveryOutcome.Poison.class);
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Commands {
        @Test
        void a_command_offered_again_is_accepted_once() {
            CommandOutcome first = inbox.accept(InboxCommand.of("c-1", start("order-1")), 0);
            leaving.ackOrchestrationItem(TurnAck.of(take(leaving, "order-1").lockToken(), 1));
            CommandOutcome again = inbox.accept(InboxCommand.of("c-1", start("order-1")), 0);

            assertThat(first)
                    .isInstanceOfSatisfying(
                            CommandOutcome.Accepted.class,
                            outcome -> assertThat(outcome.now()).isTrue());
            assertThat(again).isInstanceOfSatisfying(CommandOutcome.Accepted.class, outcome -> {
                assertThat(outcome.now()).isFalse();
                assertThat(outcome.enqueuedAt()).isEqualTo(((CommandOutcome.Accepted) first).enqueuedAt());
            });
            assertThat(leaving.fetchOrchestrationItem(LOCK, Duration.ZERO, null))
                    .isEmpty();
        }

        @Test
        void commands_of_a_key_are_queued_after_the_floor_whatever_the_clock_says() {
            long ahead = System.currentTimeMillis() + 3_600_000;

            CommandOutcome outcome = inbox.accept(InboxCommand.of("c-1", start("order-1")), ahead);

            assertThat(outcome).isEqualTo(new CommandOutcome.Accepted(ahead + 1, true));
        }

        @Test
        void a_refused_command_stays_refused_and_a_delivered_one_stays_delivered() {
            assertThat(inbox.refuse(InboxCommand.of("c-1", start("order-1")), "too old"))
                    .isEqualTo(new CommandOutcome.Refused("too old"));
            assertThat(inbox.accept(InboxCommand.of("c-1", start("order-1")), 0))
                    .isEqualTo(new CommandOutcome.Refused("too old"));
            inbox.accept(InboxCommand.of("c-2", start("order-2")), 0);
            assertThat(inbox.refuse(InboxCommand.of("c-2", start("order-2")), "late"))
                    .isInstanceOf(CommandOutcome.Accepted.class);
            assertThat(documents("order-1"))
                    .singleElement()
                    .satisfies(
                            receipt -> assertThat(receipt.path("ttl").asInt()).isEqualTo(604_800));
        }

        @Test
        void another_command_of_the_same_id_is_no_repetition() {
            inbox.accept(InboxCommand.of("c-1", raised("order-1", "a")), 0);

            assertThat(List.of(
                            inbox.accept(InboxCommand.of("c-1", raised("order-1", "b")), 0),
                            inbox.refuse(InboxCommand.of("c-1", raised("order-1", "b")), "late")))
                    .allSatisfy(outcome -> assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    CommandOutcome.Refused.class,
                                    refused -> assertThat(refused.reason()).contains("used by another command")));
            assertThat(inbox.accept(InboxCommand.of("c-1", raised("order-1", "a")), 0))
                    .isInstanceOf(CommandOutcome.Accepted.class);
        }

        @Test
        void a_start_whose_first_turn_could_not_be_stored_is_refused_before_anything_is_written() {
            WorkItem large = new WorkItem.StartOrchestration(
                    "order-1", "Order", "x".repeat(StartLimit.MAX_BYTES), "1.0.0", null, null, null, 1);

            assertThatThrownBy(() -> inbox.accept(InboxCommand.of("c-1", large), 0))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("the limit is " + StartLimit.MAX_BYTES);
            assertThat(inbox.accept(InboxCommand.of("c-1", start("order-1")), 0))
                    .isInstanceOf(CommandOutcome.Accepted.class);
        }

        @Test
        void an_instance_the_store_cannot_hold_is_refused_before_anything_is_written() {
            assertThatThrownBy(() -> inbox.accept(InboxCommand.of("c-1", start("a/b")), 0))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("a/b");
        }
    }

    private static CosmosEmulator emulator() {
        return account.requireEmulator();
    }

    private static boolean delivers(LoggedRequest request, String target) {
        return request.operation() == RequestKind.BATCH
                && ("[\"" + target + "\"]").equals(request.partitionKey())
                && request.body().contains("receipt:");
    }

    private void send(CosmosProvider provider, WorkItem... items) {
        provider.enqueueForOrchestrator(start("source"), null);
        LockedTurn turn = take(provider, "source");
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withOrchestratorItems(List.of(items)));
    }

    private Intent leave(WorkItem item) {
        send(leaving, item);
        return outbox.undelivered("source").get(0);
    }

    private static LockedTurn take(CosmosProvider provider, String instance) {
        LockedTurn turn = provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null)
                .orElseThrow();
        while (!turn.item().instance().equals(instance)) {
            turn = provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null)
                    .orElseThrow();
        }
        return turn;
    }

    private List<JsonNode> documents(String instance) {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        return store.container()
                .queryItems("SELECT * FROM c", options, JsonNode.class)
                .collectList()
                .block();
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1);
    }

    private static WorkItem raised(String instance, String data) {
        return new WorkItem.ExternalRaised(instance, "signal", data);
    }
}
