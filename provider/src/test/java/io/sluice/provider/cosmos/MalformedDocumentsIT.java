package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import io.sluice.provider.SemverRange;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents besides the queues' that another program, or a hand, wrote badly keep nobody from what is not theirs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MalformedDocumentsIT {
    private static final SessionFetchConfig ME = new SessionFetchConfig("me", LOCK);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private CosmosProvider provider;
    private ProviderAdmin admin;

    @BeforeEach
    void open() {
        store = fixture.store();
        provider = fixture.provider();
        admin = provider.asManagementCapability().orElseThrow();
    }

    @Test
    void a_malformed_session_keeps_no_worker_from_activities_and_can_be_claimed() {
        provider.enqueueForWorker(ofSession("order-1"));
        provider.enqueueForWorker(ofSession("order-2"));
        write(session("order-1"));

        List<String> taken = Stream.of(provider, fixture.provider())
                .map(worker -> worker.fetchWorkItem(LOCK, NO_WAIT, ME, TagFilter.any())
                        .orElseThrow()
                        .item()
                        .routedInstance())
                .toList();

        assertThat(taken).containsExactly("order-1", "order-2");
        assertThat(fixture.documents(store, "order-1", "session"))
                .singleElement()
                .satisfies(
                        session -> assertThat(session.path("ownerId").asText()).isEqualTo("me"));
    }

    @Test
    void a_malformed_session_keeps_no_other_from_being_renewed_or_removed() {
        provider.enqueueForWorker(ofSession("order-2"));
        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, ME, TagFilter.any())).isPresent();
        write(session("order-1").put("ownerId", "me").put("lockedUntil", Long.MAX_VALUE / 4));
        write(session("order-3").put("ownerId", "me").put("lockedUntil", 1));
        write(session("order-4")
                .put("ownerId", "gone")
                .put("lockedUntil", 1)
                .put("lastActivity", 1)
                .put("createdAt", 1));

        assertThat(provider.renewSessionLock(List.of("me"), LOCK, LOCK)).isEqualTo(1);
        assertThat(provider.cleanupOrphanedSessions(LOCK)).isEqualTo(1);
    }

    @Test
    void an_instance_pinned_to_what_is_no_version_is_given_to_any_dispatcher_as_corrupt() {
        for (int i = 0; i < 8; i++) {
            write(head("bad-" + i).put("pinnedDuroxideVersionPacked", -5));
            provider.enqueueForOrchestrator(raised("bad-" + i, "x"), null);
        }
        write(head("other")
                .put("pinnedDuroxideVersionPacked", SemanticVersion.of(9, 0, 0).packed()));
        provider.enqueueForOrchestrator(raised("other", "x"), null);
        provider.enqueueForOrchestrator(start("good"), null);
        var filter = new DispatcherCapabilityFilter(
                List.of(new SemverRange(SemanticVersion.of(0, 0, 0), SemanticVersion.of(1, 0, 0))));

        List<LockedTurn> turns = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            turns.add(provider.fetchOrchestrationItem(LOCK, NO_WAIT, filter).orElseThrow());
        }
        assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, filter)).isEmpty();
        assertThat(turns.stream().filter(turn -> turn.item().historyError() == null))
                .extracting(turn -> turn.item().instance())
                .containsExactly("good");
    }

    @Test
    void a_malformed_instance_is_left_out_of_lists_and_bulk_operations_and_named_where_it_is_asked_for() {
        complete("good", 1);
        write(WrittenDocuments.document("bad:instance", "bad", "instance")
                .put("status", "Completed")
                .put("createdAt", 1));

        assertThat(admin.listInstances()).containsExactly("good");
        assertThat(admin.listInstancesByStatus("Completed")).containsExactly("good");
        assertThatThrownBy(() -> admin.getInstanceInfo("bad"))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("orchestrationName");
        assertThat(admin.pruneExecutionsBulk(InstanceFilter.ALL, PruneOptions.ALL_FINISHED)
                        .instancesProcessed())
                .isEqualTo(1);
        assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL).instancesDeleted())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_instance_whose_id_is_a_number_fails_no_page(boolean withTexts) {
        complete("good", 1);
        write(head("five").put("createdAt", 0).put("output", "x").put("instanceId", 5));
        write(head("six").put("createdAt", 2).put("output", "x").put("instanceId", 6));
        InstanceQuery query = InstanceQuery.ALL.withTexts(withTexts);

        List<String> shown = new ArrayList<>();
        @Nullable String next = null;
        do {
            InstancePage page = provider.queries().query(query, 1, next);
            page.instances().forEach(instance -> shown.add(instance.instanceId()));
            next = page.continuation();
        } while (next != null);

        assertThat(shown).containsExactly("good");
    }

    @Test
    void an_event_of_an_unknown_runtime_keeps_no_other_instance_from_bulk_deletion_and_pruning() {
        write(unknownEnd("newer", 1, 2));
        complete("newer", 1);
        complete("good", 1);
        write(unknownEnd("long-lived", 1, 1));
        complete("long-lived", 2);
        write(history("kept", 1, 1)
                .put(
                        "eventData",
                        HistoryJson.encode(event("kept", 1, new EventKind.OrchestrationContinuedAsNew("{}")))));
        complete("kept", 2);
        long now = System.currentTimeMillis();

        PruneResult pruned = admin.pruneExecutionsBulk(InstanceFilter.ALL, new PruneOptions(1, now - 60_000));
        var deleted = admin.deleteInstanceBulk(new InstanceFilter(null, now - 60_000, null));

        assertThat(pruned.executionsDeleted()).isEqualTo(1);
        assertThat(deleted.instancesDeleted())
                .as("of two, nobody can say when they ended")
                .isEqualTo(2);
        assertThat(admin.listInstances()).containsExactlyInAnyOrder("newer", "long-lived");
    }

    @Test
    void a_malformed_receipt_stops_its_own_pair_alone() {
        provider.enqueueForOrchestrator(start("parent"), null);
        LockedTurn turn = takeTurn(provider);
        write(WrittenDocuments.document(
                DocumentIds.receipt(DocumentIds.intentKey("parent", 1, turn.lockToken(), 0)), "a", "receipt"));
        var failing = account.requireEmulator()
                .faults()
                .refuse(request -> request.body().contains("outbox:"), 0, 503, 0);
        provider.ackOrchestrationItem(firstAck(turn).withOrchestratorItems(List.of(start("a"), start("b"))));
        failing.remove();
        assertThat(undelivered()).containsExactly("a", "b");
        InstantSource later = InstantSource.offset(InstantSource.system(), Duration.ofMinutes(1));
        IntentReconciler reconciler =
                new IntentReconciler(new ContainerRequests(store.container()), outbox(), false, intent -> {}, later);

        assertThat(reconciler.reconcile(() -> true)).isEqualTo(1);

        assertThat(undelivered()).as("who repairs the receipt decides").containsExactly("a");
        assertThat(fixture.documents(store, "b", "orch_queue")).hasSize(1);
    }

    @Test
    void an_ack_whose_delivery_meets_a_malformed_receipt_is_committed_and_says_so() {
        provider.enqueueForOrchestrator(start("parent"), null);
        LockedTurn turn = takeTurn(provider);
        write(WrittenDocuments.document(
                DocumentIds.receipt(DocumentIds.intentKey("parent", 1, turn.lockToken(), 0)), "a", "receipt"));

        provider.ackOrchestrationItem(firstAck(turn).withOrchestratorItems(List.of(start("a"))));

        assertThat(undelivered()).containsExactly("a");
    }

    @Test
    void a_malformed_deletion_keeps_no_other_from_being_finished() {
        String uuid = "00000000-0000-0000-0000-00000000000";
        write(WrittenDocuments.document("deletion:" + uuid + "1", "bad", "deletion")
                .put("state", "half"));
        ObjectNode overdue = WrittenDocuments.document("deletion:" + uuid + "2", "good", "deletion")
                .put("state", "open")
                .put("deadline", 1)
                .put("tombstones", false);
        overdue.putArray("members").add("good");
        write(overdue);

        assertThat(new StoreSweep(store).finishDeletions()).isEqualTo(1);
    }

    private List<String> undelivered() {
        return outbox().undelivered("parent").stream()
                .map(Intent::targetInstance)
                .toList();
    }

    private IntentOutbox outbox() {
        return new IntentOutbox(store.container(), InstantSource.system());
    }

    /** An instance that ended in 2025 and was touched just now. */
    private void complete(String instance, long execution) {
        write(history(instance, execution, 1)
                .put("eventData", HistoryJson.encode(event(instance, 1, new EventKind.ExternalEvent("x", "{}")))));
        if (!instance.equals("newer") && !instance.equals("long-lived")) {
            write(history(instance, execution, 9)
                    .put(
                            "eventData",
                            HistoryJson.encode(event(instance, 9, new EventKind.OrchestrationCompleted("{}")))));
        }
        write(head(instance).put("status", "Completed").put("currentExecutionId", execution));
    }

    private static ObjectNode unknownEnd(String instance, long execution, long id) {
        return history(instance, execution, id)
                .put("eventData", "{\"type\":\"OrchestrationCompleted\",\"of\":\"a newer runtime\"}");
    }

    private static ObjectNode history(String instance, long execution, long id) {
        return WrittenDocuments.document(DocumentIds.history(instance, execution, id), instance, "history")
                .put("executionId", execution)
                .put("eventId", id);
    }

    private static ObjectNode head(String instance) {
        return WrittenDocuments.document(instance + ":instance", instance, "instance")
                .put("orchestrationName", "Order")
                .put("orchestrationVersion", "1.0.0")
                .put("currentExecutionId", 1)
                .put("status", "Running")
                .put("createdAt", 1)
                .put("updatedAt", System.currentTimeMillis());
    }

    private static ObjectNode session(String instance) {
        return WrittenDocuments.document(instance + ":session:s", instance, "session")
                .put("sessionId", "s");
    }

    private static WorkItem ofSession(String instance) {
        return new WorkItem.ActivityExecute(instance, 1, 2, "charge", "{}", "s", null);
    }

    private void write(ObjectNode document) {
        store.container().upsertItem(document).block();
    }
}
