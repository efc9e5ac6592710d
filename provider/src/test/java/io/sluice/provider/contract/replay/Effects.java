package io.sluice.provider.contract.replay;

import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;

/** What a turn sends beside the events it appends. */
final class Effects {
    final List<WorkItem> toWorkers = new ArrayList<>();
    final List<WorkItem> toOrchestrators = new ArrayList<>();
    final List<ScheduledActivityIdentifier> cancelled = new ArrayList<>();
}
