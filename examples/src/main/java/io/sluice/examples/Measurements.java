package io.sluice.examples;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.examples.measure.EventTimes;
import io.sluice.examples.measure.LatencySummary;
import io.sluice.examples.measure.OutboxLatency;
import io.sluice.examples.measure.RequestCosts;
import io.sluice.examples.measure.RequestLogTimes;
import io.sluice.examples.measure.RequestPurpose;
import io.sluice.examples.servers.RunDatabase;
import io.sluice.provider.history.HistoryEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run measures: exactly from the emulator's request log, more coarsely from the events where there is no such
 * log.
 */
final class Measurements {
    private final OutboxLatency latency = new OutboxLatency();
    private final EventTimes eventTimes = new EventTimes(latency);
    private final @Nullable CosmosEmulator emulator;
    private @Nullable RequestCosts costs;

    Measurements(@Nullable CosmosEmulator emulator) {
        this.emulator = emulator;
    }

    void take(HistoryEvent event) {
        if (emulator == null) {
            eventTimes.take(event);
        }
    }

    /** What the run asks of the store for an order and while idle; nothing where there is no request log. */
    Optional<StoreUse> storeUse(int orders, Pipeline pipeline) {
        return Optional.ofNullable(emulator).map(log -> StoreUse.measure(log, orders, pipeline));
    }

    LatencySummary latencySoFar() {
        if (emulator != null) {
            new RequestLogTimes(emulator.requests(), latency).update();
        }
        return latency.summary();
    }

    /** Keeps the costs of the run before the reading of the ledger adds its own. */
    void closeCosts() {
        if (emulator != null) {
            latencySoFar();
            costs = RequestCosts.of(emulator.requests(), RunDatabase.CONTAINER);
        }
    }

    OutboxLatency latency() {
        return latency;
    }

    String method() {
        return emulator == null
                ? "from the event that schedules to the event it causes "
                        + "(an upper bound, it includes the wait for a dispatcher)"
                : "from the arrival of the ack's batch to the arrival of the batch that writes the target document";
    }

    /** Requests per unit of work; nothing where there is no request log. */
    Optional<TextTable> costs() {
        RequestCosts current = costs;
        if (current == null) {
            return Optional.empty();
        }
        TextTable table = new TextTable("", "times", "requests", "each", "RU each");
        for (RequestPurpose work : RequestPurpose.values()) {
            row(table, work.words(), times(work, current), current.of(work));
        }
        return Optional.of(table);
    }

    /** How often the work was done; 0 for work that is not counted in pieces. */
    private long times(RequestPurpose work, RequestCosts current) {
        return switch (work) {
            case TURN_FETCH, TURN_ACK -> current.of(RequestPurpose.TURN_ACK).succeeded();
            case ACTIVITY_FETCH, ACTIVITY_ACK ->
                current.of(RequestPurpose.ACTIVITY_ACK).succeeded();
            case INTENT_DELIVERY -> latency.summary().count();
            case COMMAND, CHANGE_FEED, OTHER -> 0;
        };
    }

    private static void row(TextTable table, String name, long times, RequestCosts.Cost cost) {
        if (times == 0) {
            table.row(name, "", cost.requests(), "", "");
        } else {
            table.row(name, times, cost.requests(), (double) cost.requests() / times, cost.requestUnits() / times);
        }
    }
}
