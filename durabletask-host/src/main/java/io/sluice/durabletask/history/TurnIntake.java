package io.sluice.durabletask.history;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;

/** What a fetched turn is about. */
public sealed interface TurnIntake {
    /** Messages that the worker is not told of. */
    List<DroppedMessage> dropped();

    /**
     * There is something for a worker.
     *
     * @param executionId the execution that the events belong to: the fetched one, or the next
     * @param history that execution's, without the new events; empty on its first turn
     * @param events what is new, in order; on an execution's first turn its start comes first
     * @param answers to parents whose start was refused; part of the ack
     * @param dropped what the worker is not told
     * @param showsStaleStatus whether the instance still shows the custom status of an execution that has finished,
     *     and after which this one begins
     */
    record Open(
            long executionId,
            List<HistoryEvent> history,
            List<NewEvent> events,
            List<WorkItem> answers,
            List<DroppedMessage> dropped,
            boolean showsStaleStatus)
            implements TurnIntake {
        public Open {
            history = List.copyOf(history);
            events = List.copyOf(events);
            answers = List.copyOf(answers);
            dropped = List.copyOf(dropped);
        }

        /** Whether the execution begins with this turn. */
        public boolean isFirstTurn() {
            return history.isEmpty();
        }
    }

    /**
     * There is nothing for a worker: the ack consumes the messages, sends the answers, and changes nothing.
     *
     * @param answers to parents whose start was refused
     */
    record Idle(List<WorkItem> answers, List<DroppedMessage> dropped) implements TurnIntake {
        public Idle {
            answers = List.copyOf(answers);
            dropped = List.copyOf(dropped);
        }
    }

    /**
     * The messages arrived before the one that starts their execution: between two executions, or ahead of a start that
     * is put off. The turn is abandoned, and fetched again a moment later.
     */
    record TooEarly() implements TurnIntake {
        @Override
        public List<DroppedMessage> dropped() {
            return List.of();
        }
    }
}
