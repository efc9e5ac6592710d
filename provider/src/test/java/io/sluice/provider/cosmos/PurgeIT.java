package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.PublishedPrefix;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No history goes before the relay has published it. The tests answer for the relay. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PurgeIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong ahead = new AtomicLong();
    private CosmosProvider provider;
    private ProviderAdmin admin;
    private PurgeMarkers relay;
    private StoreContents contents;

    @BeforeEach
    void open() {
        provider = fixture.provider(CosmosProvider.builder().reconciler(false).relayExpected(Duration.ofSeconds(20)));
        admin = provider.asManagementCapability().orElseThrow();
        CosmosStore store = fixture.store();
        relay = new PurgeMarkers(store.container(), InstantSource.system());
        contents = new StoreContents(store);
        beginInstance(provider, "order-1");
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    void a_deletion_waits_for_the_relay_and_leaves_the_place_of_its_tombstone() throws Exception {
        Future<DeleteInstanceResult> deleting = begun(() -> admin.deleteInstance("order-1", true));
        PurgeMarker marker = waiting("order-1");
        assertThat(contents.ofType("order-1", "history"))
                .as("not published yet")
                .isNotEmpty();

        relay.answer(marker);

        assertThat(deleting.get(30, TimeUnit.SECONDS).instancesDeleted()).isEqualTo(1);
        assertThat(contents.documentsOf("order-1")).isEmpty();
        List<ObjectNode> purges = contents.ofType("order-1", "purge");
        assertThat(purges).singleElement().satisfies(purge -> {
            assertThat(PurgeMarker.in(purge))
                    .hasValueSatisfying(tomb -> assertThat(tomb.deleted()).isTrue());
            assertThat(purge.path("ttl").asInt()).isPositive();
        });
    }

    @Test
    void a_deletion_of_a_tree_waits_for_the_history_of_every_member() throws Exception {
        provider.enqueueForOrchestrator(start("order-1-child"), null);
        provider.ackOrchestrationItem(childAck(takeTurn(provider)));
        Future<DeleteInstanceResult> deleting = begun(() -> admin.deleteInstance("order-1", true));

        List<PurgeMarker> markers = List.of(waiting("order-1"), waiting("order-1-child"));
        markers.forEach(relay::answer);

        assertThat(deleting.get(30, TimeUnit.SECONDS).instancesDeleted()).isEqualTo(2);
    }

    @Test
    void a_relay_that_is_behind_stops_a_deletion_and_nothing_is_left_of_the_attempt() {
        CosmosProvider hasty =
                fixture.provider(CosmosProvider.builder().reconciler(false).relayExpected(Duration.ofMillis(300)));
        var before = contents.documents();

        assertThatThrownBy(() -> hasty.asManagementCapability().orElseThrow().deleteInstance("order-1", true))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("relay is behind")
                .hasMessageContaining("given up for good: relay prefix release");

        assertThat(contents.documents()).isEqualTo(before);
        assertThat(contents.ofType("order-1", "purge")).isEmpty();
        provider.enqueueForOrchestrator(raised("order-1", "a"), null);
        provider.ackOrchestrationItem(TurnAck.of(takeTurn(provider).lockToken(), 1));
    }

    @Test
    void a_deletion_that_gives_up_for_want_of_a_relay_leaves_its_members_what_is_on_its_way_to_them() {
        CosmosProvider hasty = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .relayExpected(Duration.ofMillis(300))
                .immediateDelivery(false));
        hasty.enqueueForOrchestrator(start("order-1-child"), null);
        hasty.ackOrchestrationItem(childAck(takeTurn(hasty))
                .withOrchestratorItems(List.of(new WorkItem.SubOrchCompleted("order-1", 1, 2, "done"))));

        assertThatThrownBy(() -> hasty.asManagementCapability().orElseThrow().deleteInstance("order-1", true))
                .hasMessageContaining("relay is behind");

        var outbox = new IntentOutbox(new ContainerRequests(fixture.store().container()), InstantSource.system());
        assertThat(outbox.undelivered("order-1-child"))
                .singleElement()
                .satisfies(intent -> assertThat(outbox.deliver(intent)).isInstanceOf(DeliveryOutcome.Delivered.class));
        assertThat(contents.ofType("order-1", "orch_queue")).hasSize(1);
    }

    @Test
    void an_answer_to_a_deletion_that_was_given_up_lets_no_later_turn_be_deleted_unread() throws Exception {
        CosmosProvider other = fixture.providerAhead(ahead);
        Future<DeleteInstanceResult> deleting = begun(() -> admin.deleteInstance("order-1", true));
        PurgeMarker first = waiting("order-1");
        ahead.set(Duration.ofMinutes(10).toMillis());
        other.enqueueForOrchestrator(raised("order-1", "a"), null);
        LockedTurn turn = takeTurn(other);
        other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event("order-1", 2, new EventKind.ExternalEvent("e", "{}")))));

        relay.answer(first);

        PurgeMarker second = waiting("order-1");
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(contents.ofType("order-1", "history")).hasSize(2);
        relay.answer(second);
        assertThat(deleting.get(30, TimeUnit.SECONDS).eventsDeleted()).isEqualTo(2);
    }

    @Test
    void pruning_waits_too_and_without_anything_to_prune_it_does_not() throws Exception {
        assertThat(admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED).executionsDeleted())
                .isZero();
        provider.enqueueForOrchestrator(raised("order-1", "a"), null);
        provider.ackOrchestrationItem(TurnAck.of(takeTurn(provider).lockToken(), 2)
                .withHistory(List.of(HistoryEvent.of(
                        1, "order-1", 2, 1_740_000_000_000L, "0.1.32", new EventKind.ExternalEvent("e", "{}")))));

        var pruning = begun(() -> admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED));
        PurgeMarker marker = waiting("order-1");
        assertThat(admin.listExecutions("order-1")).containsExactly(1L, 2L);
        relay.answer(marker);

        assertThat(pruning.get(30, TimeUnit.SECONDS).executionsDeleted()).isEqualTo(1);
        assertThat(admin.listExecutions("order-1")).containsExactly(2L);
        assertThat(contents.ofType("order-1", "purge")).isEmpty();
    }

    private CosmosProvider withoutBeingTold() {
        return fixture.provider(CosmosProvider.builder().reconciler(false).relayWherePublished(Duration.ofSeconds(20)));
    }

    private void registerPrefix(String prefix) {
        ObjectNode registration = JsonNodeFactory.instance
                .objectNode()
                .put("id", PublishedPrefix.id(fixture.store().workStore().rid()))
                .put("instanceId", PublishedPrefix.PARTITION)
                .put("type", "relay_prefix")
                .put(PublishedPrefix.FIELD, prefix);
        fixture.store().container().createItem(registration).block();
    }

    @Test
    void where_a_relay_has_registered_that_it_publishes_the_store_a_deletion_waits_for_it() throws Exception {
        registerPrefix("orders");
        CosmosProvider other = withoutBeingTold();

        Future<DeleteInstanceResult> deleting =
                begun(() -> other.asManagementCapability().orElseThrow().deleteInstance("order-1", true));
        relay.answer(waiting("order-1"));

        assertThat(deleting.get(30, TimeUnit.SECONDS).instancesDeleted()).isEqualTo(1);
        assertThat(contents.ofType("order-1", "purge"))
                .as("the tombstone's place")
                .singleElement()
                .satisfies(purge -> assertThat(PurgeMarker.in(purge))
                        .hasValueSatisfying(tomb -> assertThat(tomb.deleted()).isTrue()));
        assertThat(other.publishedPrefix()).contains("orders");
    }

    @Test
    void where_none_has_a_deletion_waits_for_nobody() {
        CosmosProvider other = withoutBeingTold();

        assertThat(other.asManagementCapability()
                        .orElseThrow()
                        .deleteInstance("order-1", true)
                        .instancesDeleted())
                .isEqualTo(1);

        assertThat(contents.ofType("order-1", "purge")).isEmpty();
        assertThat(other.publishedPrefix()).isEmpty();
    }

    private static TurnAck childAck(LockedTurn turn) {
        return firstAck(turn)
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Order", "1.0.0")
                        .withParent("order-1"));
    }

    private <T> Future<T> begun(Callable<T> work) {
        return threads.submit(work);
    }

    private PurgeMarker waiting(String instance) {
        return await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> contents.ofType(instance, "purge").stream()
                                .map(PurgeMarker::in)
                                .flatMap(Optional::stream)
                                .filter(marker -> !marker.deleted())
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }
}
