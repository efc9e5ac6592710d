package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An execution whose first turn needs more than one batch. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StagedExecutionsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final long EVENTS = 120;

    /**
     * Found by the simulation, seeds 455 and 458: the process that acked it remembered the events of the execution
     * before in front of its own.
     */
    @Test
    void its_next_turn_sees_its_own_events_alone() {
        try (var fixture = StoreFixture.provisioned(account)) {
            var provider = fixture.provider();
            provider.enqueueForOrchestrator(start("order-1"), null);
            var first = takeTurn(provider);
            provider.ackOrchestrationItem(firstAck(first)
                    .withMetadata(ExecutionMetadata.NONE
                            .withOrchestration("Order", "1.0.0")
                            .withStatus("ContinuedAsNew", "{}"))
                    .withOrchestratorItems(List.of(new WorkItem.ContinueAsNew(
                            "order-1", "Order", "{}", "1.0.0", null, null, null, List.of(), null))));
            var next = takeTurn(provider);
            assertThat(next.item().history()).hasSize(1);
            var events = LongStream.rangeClosed(1, EVENTS)
                    .mapToObj(id -> HistoryEvent.of(
                            id,
                            "order-1",
                            2,
                            1_740_000_000_000L,
                            "0.1.32",
                            new EventKind.ExternalEvent("e" + id, "{}")))
                    .toList();
            provider.ackOrchestrationItem(TurnAck.of(next.lockToken(), 2).withHistory(events));
            provider.enqueueForOrchestrator(raised("order-1", "on"), null);

            assertThat(takeTurn(provider).item().history()).isEqualTo(events);
        }
    }
}
