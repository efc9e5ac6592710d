package io.sluice.benchmarks.history;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.stream.LongStream;

/** An instance with a history of some length, which its measured turns leave as long as it is. */
record LongInstance(String id, int events) {
    private static final Duration LOCK = Duration.ofSeconds(60);
    private static final String VERSION = "0.1.32";
    private static final int EVENTS_PER_TURN = 1_000;

    /** Writes the history, by turns of up to a thousand events. */
    void write(Provider provider) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(id, "Order", "{}", "1.0.0", null, null, null, 1), null);
        for (long from = 1; from <= events; from += EVENTS_PER_TURN) {
            if (from > 1) {
                send(provider);
            }
            var delta = LongStream.range(from, Math.min(from + EVENTS_PER_TURN, events + 1L))
                    .mapToObj(this::event)
                    .toList();
            provider.ackOrchestrationItem(TurnAck.of(fetch(provider).lockToken(), 1)
                    .withHistory(delta)
                    .withMetadata(ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0")));
        }
    }

    private HistoryEvent event(long eventId) {
        EventKind kind = eventId == 1
                ? new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null)
                : new EventKind.ActivityScheduled("Charge", "{\"sku\":\"0815\",\"count\":" + eventId + "}", null, null);
        return HistoryEvent.of(eventId, id, 1, 1_740_000_000_000L, VERSION, kind);
    }

    /** Puts a message there, for the next turn. */
    void send(Provider provider) {
        provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(id, "go", "{}"), null);
    }

    /**
     * Takes the message and adds nothing to the history.
     *
     * @throws IllegalStateException when the turn does not show the whole history
     */
    void turn(Provider provider) {
        var turn = fetch(provider);
        if (turn.item().history().size() != events) {
            throw new IllegalStateException(
                    "a turn showed " + turn.item().history().size() + " events of " + events);
        }
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
    }

    private static LockedTurn fetch(Provider provider) {
        return provider.fetchOrchestrationItem(LOCK, LOCK, null).orElseThrow();
    }
}
