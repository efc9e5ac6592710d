package io.sluice.examples.runtime;

import io.sluice.provider.history.HistoryEvent;
import java.util.List;
import java.util.Map;

/** What replaying a recorded execution gives, without a store. */
public record Recording(String output, List<HistoryEvent> newEvents) {
    /** Replays all but the last event, the end. */
    public static Recording replay(Orchestration orchestration, List<HistoryEvent> history) {
        HistoryEvent first = history.get(0);
        var log = new EventLog(
                first.instanceId(),
                first.executionId(),
                history.subList(0, history.size() - 1),
                System.currentTimeMillis());
        String output = orchestration.run(
                new Replay(log, new TurnEffects(), Map.of()), log.started().input());
        return new Recording(output, log.delta());
    }
}
