package io.sluice.examples.runtime;

import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;

/** The work items and cancellations of a turn, besides its new events. */
final class TurnEffects {
    private final List<WorkItem> workerItems = new ArrayList<>();
    private final List<WorkItem> orchestratorItems = new ArrayList<>();
    private final List<ScheduledActivityIdentifier> cancelledActivities = new ArrayList<>();

    void toWorkers(WorkItem item) {
        workerItems.add(item);
    }

    void toOrchestrators(WorkItem item) {
        orchestratorItems.add(item);
    }

    void cancel(ScheduledActivityIdentifier activity) {
        cancelledActivities.add(activity);
    }

    List<WorkItem> workerItems() {
        return workerItems;
    }

    List<WorkItem> orchestratorItems() {
        return orchestratorItems;
    }

    List<ScheduledActivityIdentifier> cancelledActivities() {
        return cancelledActivities;
    }
}
