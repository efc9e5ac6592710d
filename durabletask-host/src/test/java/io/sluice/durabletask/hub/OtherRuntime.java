package io.sluice.durabletask.hub;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;

/** Runs instances as a runtime does that is no host. */
public record OtherRuntime(CosmosProvider provider) {
    private static final Duration LOCK = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofSeconds(20);

    /** Starts an instance of {@code Order}. */
    public void start(String instance) {
        provider.starts()
                .startInstance(InstanceStart.of(new WorkItem.StartOrchestration(
                        instance, "Order", "{}", "1.0.0", null, null, null, 1, ExtraFields.NONE)));
    }

    LockedTurn fetch() {
        return provider.fetchOrchestrationItem(LOCK, POLL, null).orElseThrow();
    }

    /** Takes the next turn, and commits it with one event. */
    public void turn(ExecutionMetadata metadata) {
        LockedTurn turn = fetch();
        var event = HistoryEvent.of(
                1,
                turn.item().instance(),
                1,
                System.currentTimeMillis(),
                "0.1.32",
                new EventKind.ExternalEvent("step", "{}"));
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event))
                .withMetadata(metadata.withOrchestration("Order", "1.0.0")));
    }
}
