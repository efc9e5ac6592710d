package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.child;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;

import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Orchestrations as an SDK would replay them: what they decide follows from the history alone. */
final class Scripts {
    private Scripts() {}

    /** One activity after the other; the output is their results, with commas. */
    static Function<OrchestratorRequest, OrchestratorResponse> sequence(String activity, int length) {
        return turn -> {
            List<HistoryEvent> events = Events.all(turn);
            int scheduled = Events.of(events, EventTypeCase.TASKSCHEDULED).size();
            List<HistoryEvent> results = Events.of(events, EventTypeCase.TASKCOMPLETED);
            if (results.size() < scheduled) {
                return answer();
            }
            return scheduled < length
                    ? answer(task(scheduled, activity, "" + scheduled))
                    : answer(completed(
                            length,
                            results.stream()
                                    .map(event ->
                                            event.getTaskCompleted().getResult().getValue())
                                    .collect(Collectors.joining(","))));
        };
    }

    /** So many children at the same time; the output is how many have completed. */
    static Function<OrchestratorRequest, OrchestratorResponse> fanOutToChildren(String name, int children) {
        return turn -> {
            List<HistoryEvent> events = Events.all(turn);
            if (Events.of(events, EventTypeCase.SUBORCHESTRATIONINSTANCECREATED).isEmpty()) {
                return answer(IntStream.range(0, children)
                        .mapToObj(i -> child(i, "", name))
                        .toArray(OrchestratorAction[]::new));
            }
            int ended = Events.of(events, EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED)
                    .size();
            return ended < children ? answer() : answer(completed(children, "" + ended));
        };
    }
}
