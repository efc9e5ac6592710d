package io.sluice.examples.runtime;

import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;

/** The work items and cancellations of a turn, besides its new events. */
final class TurnEffects {
    final List<WorkItem> workerItems = new ArrayList<>();
    final List<WorkItem> orchestratorItems = new ArrayList<>();
    final List<ScheduledActivityIdentifier> cancelledActivities = new ArrayList<>();
}
