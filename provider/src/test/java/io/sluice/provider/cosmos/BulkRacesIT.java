package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginChild;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bulk operations, and what becomes of instances after they were chosen. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BulkRacesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;
    private ProviderAdmin admin;

    @BeforeEach
    void open() {
        provider = fixture.provider();
        admin = provider.asManagementCapability().orElseThrow();
    }

    @Test
    void a_root_that_was_replaced_by_one_that_has_not_begun_is_passed_over() {
        ended("a");
        ended("b");

        DeleteInstanceResult result = deleteInBulk(InstanceFilter.ALL, () -> {
            admin.deleteInstance("a", false);
            provider.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("a")));
        });

        assertThat(result).isEqualTo(new DeleteInstanceResult(1, 1, 2, 0));
        assertThat(admin.listInstances()).isEmpty();
        assertThat(takeTurn(provider).item().messages()).containsExactly(start("a"));
    }

    @Test
    void a_root_whose_next_start_is_only_queued_is_passed_over() {
        ended("a");

        DeleteInstanceResult result = deleteInBulk(InstanceFilter.ALL, () -> {
            admin.deleteInstance("a", false);
            provider.enqueueForOrchestrator(start("a"), null);
        });

        assertThat(result).isEqualTo(DeleteInstanceResult.NOTHING);

        assertThat(takeTurn(provider).item().messages()).containsExactly(start("a"));
    }

    @Test
    void a_root_that_was_replaced_by_one_that_has_ended_since_is_passed_over() {
        ended("a");
        long before = admin.getInstanceInfo("a").updatedAtMillis() + 1;

        DeleteInstanceResult result = deleteInBulk(new InstanceFilter(null, before, null), () -> {
            admin.deleteInstance("a", false);
            ended("a");
        });

        assertThat(result).isEqualTo(DeleteInstanceResult.NOTHING);

        assertThat(admin.listInstances()).containsExactly("a");
    }

    @Test
    void a_child_that_has_become_somebody_elses_stays_with_its_new_root() {
        ended("a");
        beginChild(provider, "c", "a");
        Runnable anothers = () -> {
            admin.deleteInstancesAtomic(List.of("c"), true);
            beginInstance(provider, "c");
        };

        try (NthRequest between = NthRequest.doing(fixture.emulator(), BulkRacesIT::isLookAtMembers, 1, anothers)) {
            assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL)).isEqualTo(DeleteInstanceResult.NOTHING);
            assertThat(between.happened()).isTrue();
        }

        assertThat(admin.listInstances()).containsExactlyInAnyOrder("a", "c");
        assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL).instancesDeleted())
                .as("the next run finds the root alone")
                .isEqualTo(1);
        assertThat(admin.listInstances()).containsExactly("c");
    }

    @Test
    void one_that_fails_for_now_does_not_stop_the_deletion_of_those_after_it() {
        List.of("a", "b", "c").forEach(this::ended);
        ProviderAdmin hasty = withARelayThatIsBehindFor("b");

        assertThatThrownBy(() -> hasty.deleteInstanceBulk(InstanceFilter.ALL))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("failed for 1 of the instances")
                .hasMessageContaining("instancesDeleted=2")
                .hasMessageContaining("instance 'b'")
                .hasMessageContaining("relay is behind");
        assertThat(admin.listInstances()).containsExactly("b");

        assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL).instancesDeleted())
                .isEqualTo(1);
    }

    @Test
    void one_that_fails_for_now_does_not_stop_the_pruning_of_those_after_it() {
        List.of("a", "b", "c").forEach(this::continued);
        ProviderAdmin hasty = withARelayThatIsBehindFor("b");

        assertThatThrownBy(() -> hasty.pruneExecutionsBulk(InstanceFilter.ALL, PruneOptions.ALL_FINISHED))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("failed for 1 of the instances")
                .hasMessageContaining("instancesProcessed=2");

        assertThat(admin.listExecutions("a")).containsExactly(2L);
        assertThat(admin.listExecutions("b")).containsExactly(1L, 2L);
        assertThat(admin.listExecutions("c")).containsExactly(2L);
    }

    /** When the roots have been chosen, their children are searched. */
    private DeleteInstanceResult deleteInBulk(InstanceFilter filter, Runnable afterTheChoice) {
        try (NthRequest between = NthRequest.doing(
                fixture.emulator(),
                request -> request.operation() == RequestKind.QUERY
                        && request.body().contains("c.parentInstanceId IN"),
                1,
                afterTheChoice)) {
            DeleteInstanceResult result = admin.deleteInstanceBulk(filter);
            assertThat(between.happened()).isTrue();
            return result;
        }
    }

    private static boolean isLookAtMembers(LoggedRequest request) {
        return request.operation() == RequestKind.ITEM_READ
                || (request.operation() == RequestKind.QUERY && request.body().contains("c.instanceId IN"));
    }

    /** The relay answers for all other instances as soon as it is asked. */
    private ProviderAdmin withARelayThatIsBehindFor(String instance) {
        StoreContents contents = new StoreContents(fixture.store());
        PurgeMarkers relay = new PurgeMarkers(fixture.store().container(), InstantSource.system());
        List<String> others = admin.listInstances().stream()
                .filter(id -> !id.equals(instance))
                .toList();
        fixture.emulator()
                .faults()
                .runAfter(
                        request -> others.stream().anyMatch(other -> isQuestion(request, other)),
                        0,
                        request -> others.stream()
                                .flatMap(other -> contents.ofType(other, "purge").stream())
                                .flatMap(document -> PurgeMarker.in(document).stream())
                                .filter(marker -> !marker.deleted())
                                .forEach(relay::answer));
        return fixture.provider(CosmosProvider.builder().reconciler(false).relayExpected(Duration.ofMillis(300)))
                .asManagementCapability()
                .orElseThrow();
    }

    private static boolean isQuestion(LoggedRequest request, String instance) {
        String body = request.operation() == RequestKind.BATCH ? request.body().toLowerCase(Locale.ROOT) : "";
        return body.contains("create") && body.contains("purge:" + instance + ":");
    }

    private void ended(String instance) {
        beginInstance(provider, instance);
        poke(instance, 1, ExecutionMetadata.NONE.withStatus("Completed", "done"));
    }

    private void continued(String instance) {
        beginInstance(provider, instance);
        poke(instance, 1, ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "next"));
        poke(instance, 2, ExecutionMetadata.NONE);
    }

    private void poke(String instance, long execution, ExecutionMetadata metadata) {
        provider.enqueueForOrchestrator(raised(instance, "go"), null);
        LockedTurn turn = takeTurn(provider);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), execution)
                .withHistory(List.of(HistoryEvent.of(
                        9,
                        instance,
                        execution,
                        1_740_000_000_000L,
                        "0.1.32",
                        new EventKind.OrchestrationCompleted("x"))))
                .withMetadata(metadata));
    }
}
