package io.sluice.examples.durabletask.kafka;

import io.sluice.durabletask.replay.Execution;
import io.sluice.durabletask.replay.ReplayingWorker;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import java.time.Instant;
import java.util.List;

/** Orchestrations that do all there is to do. */
final class OrderFlow {
    static final String SECOND = "\"second\"";

    private OrderFlow() {}

    static ReplayingWorker on(ReplayingWorker worker) {
        return worker.runs("Order", OrderFlow::order)
                .runs("Pack", execution -> List.of(Execution.completed("\"packed\"")))
                .runs("Wait", OrderFlow::untilTold)
                .runs("Fail", execution -> List.of(Execution.failed("no stock")))
                .runs("Hello", OrderFlow::hello)
                .performs("charge");
    }

    /** An activity, a timer, a child, an event, and again as new. */
    private static List<OrchestratorAction> order(Execution execution) {
        if (execution.isSuspended()) {
            return List.of();
        }
        if (execution.input().orElseThrow().equals(SECOND)) {
            return List.of(Execution.completed("{\"shipped\":true}"));
        }
        if (execution.count(EventTypeCase.TASKCOMPLETED) < 1) {
            return execution.count(EventTypeCase.TASKSCHEDULED) < 1 ? List.of(Execution.task(0, "charge")) : List.of();
        }
        if (execution.count(EventTypeCase.TIMERFIRED) < 1) {
            return execution.count(EventTypeCase.TIMERCREATED) < 1
                    ? List.of(Execution.timer(1, Instant.now().plusMillis(200)))
                    : List.of();
        }
        if (execution.count(EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED) < 1) {
            String id = execution.started().getOrchestrationInstance().getInstanceId();
            return execution.count(EventTypeCase.SUBORCHESTRATIONINSTANCECREATED) < 1
                    ? List.of(Execution.child(2, id + "-pack", "Pack"))
                    : List.of();
        }
        return execution.raised("approval").isPresent() ? List.of(Execution.continuedAsNew(SECOND)) : List.of();
    }

    /** Ends with the input and what was raised, or with its termination. */
    private static List<OrchestratorAction> untilTold(Execution execution) {
        if (execution.terminated().isPresent()) {
            return List.of(Execution.terminated(execution.terminated().get()));
        }
        return execution
                .raised("told")
                .map(told -> List.of(Execution.completed("[" + execution.input().orElse("nothing") + ","
                        + (told.hasInput() ? told.getInput().getValue() : "nothing") + "]")))
                .orElse(List.of());
    }

    /** Three activities, one after the other. */
    private static List<OrchestratorAction> hello(Execution execution) {
        int done = execution.count(EventTypeCase.TASKCOMPLETED);
        if (done == 3) {
            return List.of(Execution.completed("\"hello\""));
        }
        return execution.count(EventTypeCase.TASKSCHEDULED) == done
                ? List.of(Execution.task(done, "charge"))
                : List.of();
    }

    static List<OrchestratorAction> oneActivity(Execution execution, String activity) {
        if (execution.count(EventTypeCase.TASKCOMPLETED) > 0) {
            return List.of(Execution.completed("\"done\""));
        }
        return execution.count(EventTypeCase.TASKSCHEDULED) > 0 ? List.of() : List.of(Execution.task(0, activity));
    }
}
