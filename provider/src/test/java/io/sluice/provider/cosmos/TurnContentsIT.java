package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.KvEntry;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What other writers of the store take for a turn, or give out with it, and should not. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnContentsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private CosmosProvider provider;
    private CosmosProvider other;

    @BeforeEach
    void open() {
        store = fixture.store();
        provider = CosmosProvider.builder().reconciler(false).store(store).build();
        other = fixture.provider();
    }

    @Test
    @Covers("wire 30")
    void an_early_cancellation_waits_for_the_start_and_comes_with_it() {
        var cancel = new WorkItem.CancelInstance("order-1", "changed my mind");
        provider.enqueueForOrchestrator(cancel, null);
        assertThat(fetchTurn(provider)).isNull();
        assertThat(fixture.documents(store, "order-1", "instance")).isEmpty();

        provider.enqueueForOrchestrator(start("order-1"), null);

        LockedTurn turn = takeTurn(provider);
        assertThat(turn.item().messages()).containsExactly(cancel, start("order-1"));
        assertThat(turn.item().orchestrationName()).isEqualTo("Order");
        assertThat(turn.attemptCount()).isEqualTo(1);
    }

    @Test
    @Covers("wire 31")
    void a_message_that_cannot_be_decoded_stands_in_nobodys_way() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        ObjectNode corrupt =
                fixture.documents(store, "order-1", "orch_queue").get(0).deepCopy();
        corrupt.put("id", "corrupt").put("workItem", "{\"NoSuchThing\":").put("enqueuedAt", 1);
        store.container().createItem(corrupt).block();
        provider.enqueueForOrchestrator(start("order-2"), null);

        LockedTurn first = takeTurn(provider);
        LockedTurn second = takeTurn(provider);

        assertThat(first.item().messages()).containsExactly(start("order-1"));
        assertThat(second.item().messages()).containsExactly(start("order-2"));
        provider.ackOrchestrationItem(firstAck(first));
        assertThat(fixture.documents(store, "order-1", "orch_queue"))
                .as("it went with the turn that met it")
                .isEmpty();
    }

    @Test
    @Covers("wire 40")
    void a_nameless_instance_document_does_not_keep_the_start_from_naming_it() {
        store.container()
                .createItem(InstanceDocument.skeleton("order-1", "", "", 1).toJson())
                .block();
        provider.enqueueForOrchestrator(raised("order-1", "early"), null);
        assertThat(fetchTurn(provider)).isNull();

        provider.enqueueForOrchestrator(start("order-1"), null);

        assertThat(takeTurn(provider).item())
                .returns("Order", item -> item.orchestrationName())
                .returns("1.0.0", item -> item.version());
    }

    @Test
    @Covers("wire 42")
    void a_version_in_the_gap_between_two_ranges_is_not_accepted() {
        pinnedTo(SemanticVersion.of(0, 3, 0));
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);

        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, accepting(range(1, 2), range(4, 5))))
                .isEmpty();
        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, accepting(range(2, 3), range(8, 9))))
                .isPresent();
    }

    @Test
    @Covers("wire 43")
    void appended_events_keep_their_ids_and_an_id_is_given_once() {
        HistoryEvent fifth = event("order-1", 5, new EventKind.ExternalEvent("m", "5"));
        HistoryEvent ninth = event("order-1", 9, new EventKind.ExternalEvent("m", "9"));
        provider.appendWithExecution("order-1", 1, List.of(fifth, ninth));

        assertThatThrownBy(() -> provider.appendWithExecution("order-1", 1, List.of(ninth)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("duplicate");

        assertThat(provider.read("order-1")).containsExactly(fifth, ninth);
        assertThat(fixture.documents(store, "order-1", "history"))
                .extracting(document -> document.get("id").asText())
                .containsExactlyInAnyOrder("order-1:history:1:5", "order-1:history:1:9");
    }

    @Test
    void key_values_come_as_another_process_has_left_them() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withHistory(List.of(total(1, "1"))));
        continueAsNew(provider, 1);
        provider.enqueueForOrchestrator(raised("order-1", "more"), null);
        other.ackOrchestrationItem(TurnAck.of(takeTurn(other).lockToken(), 2).withHistory(List.of(total(2, "2"))));
        continueAsNew(other, 2);
        // More than a page: the process can't know from the queue alone that it has all of them, and reads the rest.
        for (int i = 0; i < 5; i++) {
            other.enqueueForOrchestrator(raised("order-1", "x".repeat(1_000_000)), null);
        }

        assertThat(takeTurn(provider).item().kvSnapshot()).containsEntry("total", new KvEntry("2", 77));
    }

    private static HistoryEvent total(long execution, String value) {
        var total = new EventKind.KeyValueSet("total", value, 77);
        return HistoryEvent.of(1, "order-1", execution, 1_740_000_000_000L, "0.1.32", total);
    }

    private static void continueAsNew(CosmosProvider process, long execution) {
        process.enqueueForOrchestrator(raised("order-1", "end"), null);
        process.ackOrchestrationItem(TurnAck.of(takeTurn(process).lockToken(), execution)
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "next")));
    }

    @Test
    @Covers("wire 27a")
    void an_instance_that_does_not_suit_is_not_even_written_to() {
        pinnedTo(SemanticVersion.of(0, 1, 0));
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        fixture.emulator().requests().clear();

        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, accepting(range(2, 3))))
                .isEmpty();

        assertThat(fixture.emulator().requests().matching(request -> request.operation() == RequestKind.BATCH))
                .isEmpty();
    }

    @Test
    void an_instance_that_began_anew_elsewhere_suits_whoever_it_did_not_suit_before() {
        pinnedTo(SemanticVersion.of(0, 1, 0));
        other.asManagementCapability().orElseThrow().deleteInstance("order-1", true);
        other.enqueueForOrchestrator(start("order-1"), null);

        assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, accepting(range(2, 3))))
                .as("what it was is still in this process's cache")
                .isPresent();
    }

    private void pinnedTo(SemanticVersion version) {
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(
                firstAck(takeTurn(provider)).withMetadata(ExecutionMetadata.NONE.withPinnedVersion(version)));
    }

    private static DispatcherCapabilityFilter accepting(SemverRange... ranges) {
        return new DispatcherCapabilityFilter(List.of(ranges));
    }

    private static SemverRange range(int fromMinor, int toMinor) {
        return new SemverRange(SemanticVersion.of(0, fromMinor, 0), SemanticVersion.of(0, toMinor, 0));
    }
}
