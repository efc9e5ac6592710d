package io.sluice.examples.durabletask;

import io.sluice.durabletask.replay.Execution;
import io.sluice.durabletask.replay.ReplayingWorker;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Orchestrations whose results follow from their inputs alone. */
enum HubWork {
    /** Three activities, one after the other. */
    SEQUENCE {
        @Override
        List<OrchestratorAction> decide(Execution execution) {
            int done = execution.results().size();
            if (done == STEPS) {
                return List.of(Execution.completed(String.join(",", execution.results())));
            }
            return execution.count(EventTypeCase.TASKSCHEDULED) > done
                    ? List.of()
                    : List.of(Execution.task(done, ECHO, inputOf(execution) + done));
        }

        @Override
        String resultOf(String input) {
            return joined(input, STEPS);
        }
    },
    /** Twenty activities at once. */
    FAN_OUT {
        @Override
        List<OrchestratorAction> decide(Execution execution) {
            if (execution.count(EventTypeCase.TASKSCHEDULED) == 0) {
                return IntStream.range(0, WIDTH)
                        .mapToObj(i -> Execution.task(i, ECHO, inputOf(execution) + i))
                        .toList();
            }
            return execution.results().size() < WIDTH
                    ? List.of()
                    : List.of(Execution.completed(String.join(",", execution.results())));
        }

        @Override
        String resultOf(String input) {
            return joined(input, WIDTH);
        }
    },
    /** Two sub-orchestrations, a sequence each. */
    FAMILY {
        @Override
        List<OrchestratorAction> decide(Execution execution) {
            if (execution.count(EventTypeCase.SUBORCHESTRATIONINSTANCECREATED) == 0) {
                return CHILDREN.stream()
                        .map(child -> Execution.child(
                                CHILDREN.indexOf(child),
                                idOf(execution) + "-" + child,
                                SEQUENCE.name(),
                                inputOf(execution) + child))
                        .toList();
            }
            return execution.childResults().size() < CHILDREN.size()
                    ? List.of()
                    : List.of(Execution.completed(String.join(";", execution.childResults())));
        }

        @Override
        String resultOf(String input) {
            return String.join(
                    ";",
                    CHILDREN.stream()
                            .map(child -> SEQUENCE.resultOf(input + child))
                            .toList());
        }
    },
    /** A timer of a second, then an activity. */
    LATER {
        @Override
        List<OrchestratorAction> decide(Execution execution) {
            if (execution.count(EventTypeCase.TIMERCREATED) == 0) {
                return List.of(Execution.timer(0, Instant.now().plus(LATE)));
            }
            if (execution.count(EventTypeCase.TIMERFIRED) == 0) {
                return List.of();
            }
            if (execution.count(EventTypeCase.TASKSCHEDULED) == 0) {
                return List.of(Execution.task(1, ECHO, inputOf(execution)));
            }
            return execution.results().isEmpty()
                    ? List.of()
                    : List.of(Execution.completed(execution.results().get(0)));
        }

        @Override
        String resultOf(String input) {
            return input;
        }
    };

    private static final String ECHO = "Echo";
    private static final int STEPS = 3;
    private static final int WIDTH = 20;
    private static final List<String> CHILDREN = List.of("a", "b");
    private static final Duration LATE = Duration.ofSeconds(1);

    /** What follows from the events so far. */
    abstract List<OrchestratorAction> decide(Execution execution);

    /** What it returns. */
    abstract String resultOf(String input);

    /** A worker that takes all of it. */
    static ReplayingWorker on(ReplayingWorker worker) {
        for (HubWork work : values()) {
            worker.runs(work.name(), work::decide);
        }
        return worker.performs(ECHO);
    }

    private static String inputOf(Execution execution) {
        return execution.input().orElseThrow();
    }

    private static String idOf(Execution execution) {
        return execution.started().getOrchestrationInstance().getInstanceId();
    }

    private static String joined(String input, int count) {
        return String.join(
                ",", IntStream.range(0, count).mapToObj(i -> input + i).toList());
    }
}
