package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginChild;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pruning, and removing in bulk. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PruningIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    /** A minute ago, so earlier than any test creates an instance. */
    private final long ended = System.currentTimeMillis() - 60_000;

    private CosmosProvider provider;
    private ProviderAdmin admin;

    @BeforeEach
    void open() {
        provider = fixture.provider();
        admin = provider.asManagementCapability().orElseThrow();
    }

    @Test
    void only_executions_that_are_over_go_and_as_many_stay_as_asked() {
        executions("order-1", 4);

        assertThat(admin.pruneExecutions("order-1", PruneOptions.keepLast(2))).isEqualTo(new PruneResult(1, 2, 4));
        assertThat(admin.listExecutions("order-1")).containsExactly(3L, 4L);
        assertThat(admin.pruneExecutions("order-1", PruneOptions.keepLast(0))).isEqualTo(new PruneResult(1, 1, 2));
        assertThat(admin.listExecutions("order-1")).containsExactly(4L);
        assertThat(admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED)).isEqualTo(new PruneResult(1, 0, 0));
        assertThat(provider.read("order-1")).hasSize(1);
        assertThatThrownBy(() -> admin.pruneExecutions("unknown", PruneOptions.ALL_FINISHED))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("not found");
    }

    @Test
    @Covers("wire 15")
    void an_execution_counts_as_over_from_the_time_of_its_last_event() {
        executions("order-1", 4);

        assertThat(admin.pruneExecutions("order-1", new PruneOptions(null, 2_900L))
                        .executionsDeleted())
                .as("executions 1 and 2 ended at 1 900 and 2 900")
                .isEqualTo(1);
        assertThat(admin.listExecutions("order-1")).containsExactly(2L, 3L, 4L);
    }

    @Test
    void pruning_by_age_costs_no_more_for_executions_that_stay() {
        executions("order-1", 40);
        fixture.emulator().requests().clear();

        assertThat(admin.pruneExecutions("order-1", new PruneOptions(null, 1_000L)))
                .isEqualTo(new PruneResult(1, 0, 0));
        assertThat(fixture.dataRequests())
                .as("the instance, what there is, and when the oldest ended")
                .hasSize(3);
        fixture.emulator().requests().clear();

        assertThat(admin.pruneExecutions("order-1", new PruneOptions(null, 5_000L)))
                .as("executions 1 to 4 ended before")
                .isEqualTo(new PruneResult(1, 4, 8));
        assertThat(fixture.dataRequests()).hasSizeLessThanOrEqualTo(2 + 4 + 1);
        fixture.emulator().requests().clear();

        assertThat(admin.pruneExecutions("order-1", new PruneOptions(null, 100_000L))
                        .executionsDeleted())
                .isEqualTo(35);
        assertThat(fixture.dataRequests()).hasSizeLessThanOrEqualTo(2 + 6 + 1);
        assertThat(admin.listExecutions("order-1")).containsExactly(40L);
    }

    @Test
    void a_turn_under_way_goes_on_while_its_instance_is_pruned() {
        executions("order-1", 3);
        provider.enqueueForOrchestrator(raised("order-1", "a"), null);
        LockedTurn turn = takeTurn(provider);

        assertThat(admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED).executionsDeleted())
                .isEqualTo(2);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 3).withHistory(List.of(at("order-1", 3, 2, 3_500))));

        assertThat(provider.read("order-1")).hasSize(2);
    }

    @Test
    void what_a_crash_leaves_of_a_large_prune_is_whole_or_shows_how_it_ended_and_is_finished_by_a_repetition() {
        executions("order-1", 3);
        provider.appendWithExecution(
                "order-1",
                1,
                LongStream.range(10, 160)
                        .mapToObj(id -> at("order-1", 1, id, 1_000))
                        .toList());
        FaultRule crash = fixture.emulator().faults().refuse(PruningIT::isPrune, 2, 400, 0);

        assertThatThrownBy(() -> admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED))
                .isInstanceOf(ProviderException.class);

        assertThat(crash.hits()).isEqualTo(1);
        assertThat(admin.listExecutions("order-1")).containsExactly(1L, 2L, 3L);
        assertThat(provider.readWithExecution("order-1", 2)).hasSize(2);
        assertThat(admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED).executionsDeleted())
                .isEqualTo(2);
        assertThat(admin.listExecutions("order-1")).containsExactly(3L);
    }

    @Test
    void a_prune_whose_answer_was_lost_is_found_done() {
        executions("order-1", 3);
        FaultRule lost = fixture.emulator().faults().loseAnswer(PruningIT::isPrune, 1);

        assertThat(admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED)).isEqualTo(new PruneResult(1, 2, 4));

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(admin.listExecutions("order-1")).containsExactly(3L);
    }

    @Test
    void what_was_begun_anew_under_the_same_id_is_not_pruned_in_place_of_the_one_before() {
        executions("order-1", 3);
        Runnable anew = () -> {
            admin.deleteInstance("order-1", true);
            executions("order-1", 4);
        };

        try (var window = NthRequest.doing(fixture.emulator(), PruningIT::isPrune, 1, anew)) {
            assertThatThrownBy(() -> admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("deleted meanwhile");
            assertThat(window.happened()).isTrue();
        }

        assertThat(admin.listExecutions("order-1")).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    @Covers("wire 45")
    void pruning_in_bulk_honours_ids_limit_and_time_of_completion() {
        executions("a", 3);
        executions("b", 3);
        executions("c", 3);
        complete("c", 3, ended);

        assertThat(admin.pruneExecutionsBulk(
                        new InstanceFilter(List.of("c", "unknown"), ended, null), PruneOptions.ALL_FINISHED))
                .isEqualTo(PruneResult.NOTHING);
        assertThat(admin.pruneExecutionsBulk(new InstanceFilter(null, null, 1), PruneOptions.ALL_FINISHED))
                .isEqualTo(new PruneResult(1, 2, 4));
        assertThat(admin.listExecutions("a")).as("the oldest first").containsExactly(3L);
        assertThat(admin.pruneExecutionsBulk(new InstanceFilter(null, ended + 1, null), PruneOptions.ALL_FINISHED))
                .isEqualTo(new PruneResult(1, 2, 4));
        assertThat(admin.listExecutions("c")).containsExactly(3L);
        assertThat(admin.listExecutions("b")).hasSize(3);
        assertThat(admin.pruneExecutionsBulk(InstanceFilter.of(List.of()), PruneOptions.ALL_FINISHED))
                .isEqualTo(PruneResult.NOTHING);
    }

    @Test
    void deleting_in_bulk_takes_finished_roots_with_their_trees_up_to_the_limit() {
        for (String id : List.of("a", "b", "c", "runs")) {
            executions(id, 1);
        }
        List.of("a", "b", "c").forEach(id -> complete(id, 1, ended));
        beginChild(provider, "a-child", "a");

        assertThat(admin.deleteInstanceBulk(InstanceFilter.of(List.of("a-child", "runs", "unknown"))))
                .isEqualTo(DeleteInstanceResult.NOTHING);
        assertThat(admin.deleteInstanceBulk(new InstanceFilter(null, ended, null)))
                .isEqualTo(DeleteInstanceResult.NOTHING);
        assertThat(admin.deleteInstanceBulk(new InstanceFilter(null, ended + 1, 1))
                        .instancesDeleted())
                .as("a and its running child")
                .isEqualTo(2);
        assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL).instancesDeleted())
                .isEqualTo(2);
        assertThat(admin.listInstances()).containsExactly("runs");
    }

    @Test
    @Covers("wire 45a")
    void a_late_message_that_merely_locks_a_finished_instance_does_not_make_it_younger() {
        executions("order-1", 1);
        complete("order-1", 1, ended);
        provider.enqueueForOrchestrator(raised("order-1", "late"), null);
        provider.abandonOrchestrationItem(takeTurn(provider).lockToken(), null, false);

        assertThat(admin.deleteInstanceBulk(new InstanceFilter(null, ended + 1, null))
                        .instancesDeleted())
                .isEqualTo(1);
    }

    @Test
    @Covers("wire 38")
    void an_instance_between_two_executions_is_alive() {
        executions("order-1", 1);
        LockedTurn turn = poke("order-1");
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "next"))
                .withOrchestratorItems(List.of(new WorkItem.ContinueAsNew(
                        "order-1", "Order", "next", null, null, null, null, List.of(), null))));

        assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL)).isEqualTo(DeleteInstanceResult.NOTHING);
        assertThatThrownBy(() -> admin.deleteInstance("order-1", false)).hasMessageContaining("running");
        assertThat(takeTurn(provider).item().messages()).hasSize(1);
    }

    /**
     * So many executions of two events each, but the last, which has one and runs; execution n begins at n × 1 000 and
     * ends 900 later.
     */
    private void executions(String instance, int count) {
        provider.enqueueForOrchestrator(start(instance), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withHistory(List.of(at(instance, 1, 1, 1_000))));
        for (int execution = 1; execution < count; execution++) {
            var continued = new EventKind.OrchestrationContinuedAsNew("next");
            LockedTurn ends = poke(instance);
            provider.ackOrchestrationItem(TurnAck.of(ends.lockToken(), execution)
                    .withHistory(List.of(
                            HistoryEvent.of(1_000, instance, execution, execution * 1_000L + 900, "0.1.32", continued)))
                    .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "next")));
            LockedTurn begins = poke(instance);
            provider.ackOrchestrationItem(TurnAck.of(begins.lockToken(), execution + 1)
                    .withHistory(List.of(at(instance, execution + 1, 1, (execution + 1) * 1_000L))));
        }
    }

    private void complete(String instance, long execution, long atMillis) {
        LockedTurn turn = poke(instance);
        var completed = new EventKind.OrchestrationCompleted("done");
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), execution)
                .withHistory(List.of(HistoryEvent.of(1_000, instance, execution, atMillis, "0.1.32", completed)))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));
    }

    private LockedTurn poke(String instance) {
        provider.enqueueForOrchestrator(raised(instance, "poke"), null);
        LockedTurn turn = takeTurn(provider);
        assertThat(turn.item().instance()).isEqualTo(instance);
        return turn;
    }

    private static HistoryEvent at(String instance, long execution, long id, long millis) {
        return HistoryEvent.of(id, instance, execution, millis, "0.1.32", new EventKind.ExternalEvent("e", "{}"));
    }

    private static boolean isPrune(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().contains("delete:order-1:history");
    }
}
