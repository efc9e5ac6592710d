package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ExecutionInfo;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.QueueDepths;
import io.sluice.provider.SystemMetrics;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator sees of the store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AdminIT {
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
    void an_instance_exists_from_its_first_ack_on_whatever_its_messages_and_locks() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        assertUnknown();

        LockedTurn turn = takeTurn(provider);
        assertUnknown();
        assertThat(provider.getInstanceStats("order-1")).isEmpty();

        provider.ackOrchestrationItem(firstAck(turn));
        assertKnown();

        provider.enqueueForOrchestrator(raised("order-1", "a"), null);
        takeTurn(provider);
        assertThat(admin.listInstances())
                .as("a lock on an acked instance hides nothing")
                .containsExactly("order-1");
        assertKnown();
    }

    @Test
    void a_nameless_instance_with_history_exists() {
        ack("order-1", TurnAck.of("", 1).withHistory(List.of(started("order-1"))));

        assertThat(admin.listInstances()).containsExactly("order-1");
        assertThat(admin.listExecutions("order-1")).containsExactly(1L);
    }

    @Test
    void instances_are_listed_newest_first_and_by_status() {
        for (String id : List.of("a", "b's", "c")) {
            complete(id, "done");
        }
        beginInstance(provider, "d");

        assertThat(admin.listInstances()).containsExactly("d", "c", "b's", "a");
        assertThat(admin.listInstancesByStatus("Completed")).containsExactly("c", "b's", "a");
        assertThat(admin.listInstancesByStatus("Failed")).isEmpty();
        assertThat(admin.getInstanceInfo("b's").output()).isEqualTo("done");
    }

    @Test
    @Covers("wire 44")
    void a_finished_execution_is_told_by_its_own_last_event_and_not_by_the_instance() {
        beginInstance(provider, "order-1");
        turn(
                "order-1",
                1,
                ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "next"),
                at(2, 1, 2_000, continued("next")));
        turn("order-1", 2, ExecutionMetadata.NONE, at(1, 2, 3_000, new EventKind.ExternalEvent("started", "{}")));

        assertThat(admin.getExecutionInfo("order-1", 1))
                .isEqualTo(new ExecutionInfo(1, "ContinuedAsNew", "next", 1_740_000_000_000L, 2_000L, 2));
        assertThat(admin.getExecutionInfo("order-1", 2))
                .isEqualTo(new ExecutionInfo(2, "Running", null, 3_000, null, 1));
        assertThat(admin.listExecutions("order-1")).containsExactly(1L, 2L);
        assertThat(admin.latestExecutionId("order-1")).isEqualTo(2);
    }

    @Test
    @Covers("wire 44")
    void a_failed_execution_shows_its_error_and_when_it_failed() {
        beginInstance(provider, "order-1");
        var details = new ErrorDetails.Application(
                ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, "out of stock", false);
        turn(
                "order-1",
                1,
                ExecutionMetadata.NONE.withStatus("Failed", "out of stock"),
                at(2, 1, 2_000, new EventKind.OrchestrationFailed(details)));
        turn("order-1", 2, ExecutionMetadata.NONE, at(1, 2, 3_000, new EventKind.ExternalEvent("started", "{}")));

        ExecutionInfo first = admin.getExecutionInfo("order-1", 1);

        assertThat(first.status()).isEqualTo("Failed");
        assertThat(first.output()).isEqualTo("out of stock");
        assertThat(first.completedAtMillis()).isEqualTo(2_000);
    }

    @Test
    void text_that_looks_like_an_event_inside_an_event_ends_nothing() {
        beginInstance(provider, "order-1");
        turn(
                "order-1",
                1,
                ExecutionMetadata.NONE,
                at(
                        2,
                        1,
                        2_000,
                        new EventKind.ExternalEvent("e", "{\"type\":\"OrchestrationCompleted\",\"output\":\"x\"}")));
        turn("order-1", 2, ExecutionMetadata.NONE, at(1, 2, 3_000, new EventKind.ExternalEvent("started", "{}")));

        assertThat(admin.getExecutionInfo("order-1", 1).completedAtMillis()).isNull();
    }

    @Test
    @Covers("wire 45a")
    void an_execution_acked_without_events_is_there_while_it_is_the_current_one() {
        beginInstance(provider, "order-1");
        turn("order-1", 2, ExecutionMetadata.NONE);

        assertThat(admin.listExecutions("order-1")).containsExactly(1L, 2L);
        assertThat(admin.getExecutionInfo("order-1", 2).eventCount()).isZero();
        assertPermanent(() -> admin.getExecutionInfo("order-1", 3), "not found");
    }

    @Test
    @Covers({"wire 16", "wire 45"})
    void metrics_and_depths_are_counted_by_the_store() {
        complete("a", "x");
        complete("b", "x");
        beginInstance(provider, "c");
        provider.enqueueForWorker(StoreFixture.activity("c", 7));
        provider.enqueueForWorker(StoreFixture.activity("c", 8));
        takeActivity(provider);
        provider.enqueueForOrchestrator(start("skeleton"), null);
        takeTurn(provider);
        provider.enqueueForOrchestrator(raised("c", "waits"), null);
        fixture.emulator().requests().clear();

        assertThat(admin.getSystemMetrics()).isEqualTo(new SystemMetrics(3, 3, 1, 2, 0, 5));
        assertThat(admin.getQueueDepths()).isEqualTo(new QueueDepths(1, 1, 0));

        assertThat(fixture.dataRequests())
                .as("counts come back, not documents")
                .allSatisfy(request -> assertThat(request.itemCount()).isLessThan(5));
    }

    @Test
    void messages_of_a_turn_are_not_waiting_however_long_it_is_renewed() {
        SteppedClock clock = new SteppedClock(InstantSource.system());
        CosmosProvider runtime =
                fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
        runtime.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(runtime);
        runtime.renewOrchestrationItemLock(turn.lockToken(), Duration.ofMinutes(10));

        clock.step(Duration.ofMinutes(5));

        assertThat(runtime.asManagementCapability().orElseThrow().getQueueDepths())
                .as("the messages' own tags have lapsed")
                .isEqualTo(new QueueDepths(0, 0, 0));
    }

    private void assertUnknown() {
        assertThat(admin.listInstances()).isEmpty();
        assertThat(admin.listInstancesByStatus("Running")).isEmpty();
        assertThat(admin.listExecutions("order-1")).isEmpty();
        assertThat(admin.getSystemMetrics().totalInstances()).isZero();
        assertPermanent(() -> admin.getInstanceInfo("order-1"), "not found");
        assertPermanent(() -> admin.getExecutionInfo("order-1", 1), "not found");
        assertPermanent(() -> admin.getParentId("order-1"), "not found");
        assertPermanent(() -> admin.latestExecutionId("order-1"), "not found");
    }

    private void assertKnown() {
        assertThat(admin.getInstanceInfo("order-1").status()).isEqualTo("Running");
        assertThat(admin.getInstanceInfo("order-1").orchestrationName()).isEqualTo("Order");
        assertThat(admin.getSystemMetrics().runningInstances()).isEqualTo(1);
        assertThat(provider.getInstanceStats("order-1"))
                .hasValueSatisfying(
                        stats -> assertThat(stats.historyEventCount()).isEqualTo(1));
    }

    private static void assertPermanent(ThrowingCallable call, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(text);
    }

    private void complete(String instance, String output) {
        beginInstance(provider, instance);
        turn(
                instance,
                1,
                ExecutionMetadata.NONE.withStatus("Completed", output),
                event(instance, 2, new EventKind.OrchestrationCompleted(output)));
    }

    private void turn(String instance, long execution, ExecutionMetadata metadata, HistoryEvent... events) {
        ack(instance, TurnAck.of("", execution).withHistory(List.of(events)).withMetadata(metadata));
    }

    /** Acks a turn of a fresh message with the content given. */
    private void ack(String instance, TurnAck content) {
        provider.enqueueForOrchestrator(
                admin.listInstances().contains(instance) ? raised(instance, "poke") : start(instance), null);
        String token = takeTurn(provider).lockToken();
        provider.ackOrchestrationItem(TurnAck.of(token, content.executionId())
                .withHistory(new ArrayList<>(content.historyDelta()))
                .withMetadata(content.metadata()));
    }

    private static EventKind continued(String input) {
        return new EventKind.OrchestrationContinuedAsNew(input);
    }

    private static HistoryEvent at(long id, long execution, long millis, EventKind kind) {
        return HistoryEvent.of(id, "order-1", execution, millis, "0.1.32", kind);
    }
}
