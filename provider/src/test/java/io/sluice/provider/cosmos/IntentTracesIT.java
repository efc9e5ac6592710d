package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.TurnAck;
import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.IntentDocument;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The traces on which weaker variants of the delivery of intents fail, each played against the real one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentTracesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final DeliveryOutcome NOW = new DeliveryOutcome.Delivered(true);
    private static final DeliveryOutcome BEFORE = new DeliveryOutcome.Delivered(false);
    private static final DeliveryOutcome REFUSED = new DeliveryOutcome.Refused("given up");

    private CosmosStore store;
    private StoreContents contents;
    private CosmosProvider provider;
    private CosmosEmulator emulator;
    private IntentOutbox outbox;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        contents = new StoreContents(store);
        provider = fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
        outbox = new IntentOutbox(store.container(), InstantSource.system());
    }

    @Test
    void what_was_delivered_without_an_answer_is_not_given_up() {
        Intent intent = leave(start("target"));
        emulator.faults().loseAnswer(IntentTracesIT::delivers, 1);

        assertThat(outbox.deliver(intent)).isInstanceOf(DeliveryOutcome.Transient.class);
        assertThat(outbox.refuse(intent, "given up")).isEqualTo(BEFORE);

        assertThat(takeTurn(provider).item().messages()).containsExactly(start("target"));
    }

    @Test
    void what_was_delivered_and_consumed_long_ago_is_not_given_up() {
        Intent intent = leave(start("target"));
        outbox.deliver(intent);
        provider.ackOrchestrationItem(TurnAck.of(takeTurn(provider).lockToken(), 1));

        assertThat(outbox.refuse(intent, "given up")).isEqualTo(BEFORE);
    }

    @Test
    void a_delivery_that_arrives_after_it_was_given_up_creates_nothing() {
        Intent intent = leave(start("target"));
        try (HeldRequest late = HeldRequest.of(emulator, IntentTracesIT::delivers)) {
            assertThat(outbox.deliver(intent)).isInstanceOf(DeliveryOutcome.Transient.class);
            assertThat(outbox.refuse(intent, "given up")).isEqualTo(REFUSED);
            late.letGo();
        }

        assertThat(contents.documentsOf("target")).isEmpty();
        assertThat(outbox.deliver(intent)).isEqualTo(REFUSED);
        assertThat(fetchTurn(provider)).isNull();
    }

    @Test
    void a_turn_by_a_clock_that_is_behind_sends_its_intents_later_all_the_same() {
        InstantSource behind = InstantSource.offset(InstantSource.system(), Duration.ofHours(-1));
        CosmosProvider slow = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .immediateDelivery(false)
                .clock(behind));
        leave(raised("target", "a"));
        slow.enqueueForOrchestrator(raised("source", "again"), null);

        slow.ackOrchestrationItem(
                TurnAck.of(takeTurn(slow).lockToken(), 1).withOrchestratorItems(List.of(raised("target", "b"))));

        assertThat(outbox.undelivered("source"))
                .hasSize(2)
                .isSortedAccordingTo(java.util.Comparator.comparingLong(Intent::createdAtMillis))
                .last()
                .satisfies(last -> assertThat(last.payload()).contains("\\\"b\\\""));
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class KeysThatRepeat {
        @Test
        void both_intents_that_bear_one_key_are_delivered_and_each_once() {
            Intent earlier = written("d-1", raised("target", "a"));
            assertThat(outbox.deliver(earlier)).isEqualTo(NOW);
            outbox.remove("source", List.of(earlier));
            Intent later = written("d-2", raised("target", "b"));

            assertThat(outbox.deliver(later)).isEqualTo(NOW);

            assertThat(outbox.deliver(earlier)).isEqualTo(BEFORE);
            assertThat(outbox.deliver(later)).isEqualTo(BEFORE);
            assertThat(contents.ofType("target", "orch_queue")).hasSize(2);
        }

        @Test
        void an_intent_that_was_given_up_takes_no_other_with_its_key_along() {
            Intent earlier = written("d-1", raised("target", "a"));
            assertThat(outbox.refuse(earlier, "given up")).isEqualTo(REFUSED);
            outbox.remove("source", List.of(earlier));
            Intent later = written("d-2", raised("target", "b"));

            assertThat(outbox.deliver(later)).isEqualTo(NOW);
            assertThat(outbox.deliver(earlier)).isEqualTo(REFUSED);
        }

        @Test
        void removing_a_delivered_intent_spares_a_later_one_that_took_its_place() {
            Intent earlier = written("d-1", raised("target", "a"));
            outbox.deliver(earlier);
            // Its writer has delivered it too, deleted it, and committed another turn, before we come to delete it.
            outbox.remove("source", List.of(earlier));
            Intent later = written("d-2", raised("target", "b"));

            outbox.remove("source", List.of(earlier));

            assertThat(outbox.undelivered("source")).containsExactly(later);
        }

        @Test
        void an_intent_that_was_parked_meanwhile_is_removed_by_who_reads_it_next() {
            Intent intent = written("d-1", raised("target", "a"));
            outbox.park(intent, "busy", 0);
            outbox.deliver(intent);

            outbox.remove("source", List.of(intent));
            assertThat(outbox.undelivered("source")).hasSize(1);

            List<Intent> read = outbox.undelivered("source");
            assertThat(outbox.deliver(read.get(0))).isEqualTo(BEFORE);
            outbox.remove("source", read);
            assertThat(outbox.undelivered("source")).isEmpty();
        }

        /** An intent as the other writer of the store leaves it: its keys count anew at every ack. */
        private Intent written(String documentId, WorkItem item) {
            long now = InstantSource.system().millis();
            String payload = QueueDocuments.message("test", documentId, item, now, now)
                    .toJson()
                    .toString();
            var intent = new IntentDocument(
                    "source",
                    "source:1:0",
                    "target",
                    "orch_queue",
                    payload,
                    IntentStatus.PENDING,
                    now,
                    0,
                    null,
                    null,
                    Dispatch.NONE);
            store.container().createItem(intent.toJson()).block();
            return outbox.undelivered("source").get(0);
        }
    }

    private static boolean delivers(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && "[\"target\"]".equals(request.partitionKey())
                && request.body().contains("receipt:");
    }

    private Intent leave(WorkItem item) {
        provider.enqueueForOrchestrator(start("source"), null);
        provider.ackOrchestrationItem(
                TurnAck.of(takeTurn(provider).lockToken(), 1).withOrchestratorItems(List.of(item)));
        return outbox.undelivered("source").get(0);
    }
}
