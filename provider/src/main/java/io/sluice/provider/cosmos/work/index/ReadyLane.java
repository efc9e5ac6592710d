package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The entries that are ready and have the same needs, oldest first. */
final class ReadyLane {
    final WorkNeeds needs;
    final TreeSet<WorkEntry> entries = new TreeSet<>(WorkEntry.BY_AGE);
    final List<FilterView> acceptedBy = new ArrayList<>();

    ReadyLane(WorkNeeds needs) {
        this.needs = needs;
    }
}
