package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An ack whose parts name another instance or execution than its turn's. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForeignPartsIT {
    private static final EventKind KIND = new EventKind.ExternalEvent("started", "{}");

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private CosmosProvider provider;
    private LockedTurn turn;

    @BeforeEach
    void open() {
        store = fixture.store();
        provider = CosmosProvider.builder().store(store).build();
        provider.enqueueForOrchestrator(start("order-1"), null);
        turn = takeTurn(provider);
    }

    static Stream<Arguments> foreignParts() {
        return Stream.of(
                part("historyDelta[0].executionId", ack -> ack.withHistory(List.of(of(1, 2)))),
                part("historyDelta[1].eventId", ack -> ack.withHistory(List.of(of(2, 1), of(1, 1)))),
                part(
                        "cancelledActivities[0].instance",
                        ack -> ack.withCancelledActivities(List.of(new ScheduledActivityIdentifier("order-2", 1, 2)))));
    }

    private static Arguments part(String field, UnaryOperator<TurnAck> change) {
        return Arguments.of(field, change);
    }

    private static HistoryEvent of(long id, long execution) {
        return HistoryEvent.of(id, "order-1", execution, 1_740_000_000_000L, "0.1.32", KIND);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("foreignParts")
    void are_refused_by_name_and_nothing_is_written(String field, UnaryOperator<TurnAck> change) {
        assertRefused(change.apply(firstAck(turn)), field);
    }

    @Test
    void an_event_of_another_instance_is_stored_as_the_turns() {
        HistoryEvent foreign = event("order-2", 2, KIND);

        provider.ackOrchestrationItem(firstAck(turn).withHistory(List.of(of(1, 1), foreign)));

        assertThat(provider.read("order-1")).containsExactly(of(1, 1), of(2, 1));
        assertThat(fixture.documents(store, "order-1", "history"))
                .extracting(document -> document.path("eventData").asText())
                .noneMatch(json -> json.contains("order-2"));
        assertThat(provider.read("order-2")).isEmpty();
        provider.enqueueForOrchestrator(raised("order-1", "next"), null);
        assertThat(takeTurn(provider).item().history())
                .as("as the process remembers it")
                .containsExactly(of(1, 1), of(2, 1));
    }

    @Test
    void an_appended_event_of_another_instance_is_stored_as_the_instances() {
        provider.appendWithExecution("order-1", 1, List.of(event("order-2", 2, KIND)));

        assertThat(provider.read("order-1")).containsExactly(of(2, 1));
    }

    @Test
    void an_event_of_another_instance_is_refused_where_that_is_asked_for() {
        provider.abandonOrchestrationItem(turn.lockToken(), null, true);
        provider = fixture.provider(CosmosProvider.builder().refuseForeignEvents(true));
        turn = takeTurn(provider);

        assertRefused(
                firstAck(turn).withHistory(List.of(of(1, 1), event("order-2", 2, KIND))), "historyDelta[1].instanceId");
    }

    @Test
    void an_execution_is_that_of_the_turn_or_the_next() {
        assertRefused(TurnAck.of(turn.lockToken(), 3).withHistory(List.of(of(1, 3))), "executionId");

        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 2).withHistory(List.of(of(1, 2))));

        assertThat(provider.readWithExecution("order-1", 2)).hasSize(1);
    }

    /** The turn is as it was: the right ack goes through. */
    private void assertRefused(TurnAck ack, String field) {
        assertThatThrownBy(() -> provider.ackOrchestrationItem(ack))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(field)
                .hasMessageContaining("nothing was written");
        assertThat(fixture.documents(store, "order-1", "history")).isEmpty();
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
        if (ack.executionId() == 1) {
            provider.ackOrchestrationItem(firstAck(turn));
            assertThat(provider.read("order-1")).containsExactly(started("order-1"));
        }
    }
}
