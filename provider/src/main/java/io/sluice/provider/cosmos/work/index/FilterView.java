package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What a filter accepts, and the fetches with it that wait. */
final class FilterView {
    final WorkFilter filter;
    /** Lanes with entries, by what is served in turn. */
    final Map<String, Set<ReadyLane>> rotation = new LinkedHashMap<>();

    final LinkedHashSet<Long> waiting = new LinkedHashSet<>();
    /** By the monotonic clock. */
    long usedMillis;

    FilterView(WorkFilter filter) {
        this.filter = filter;
    }

    void open(ReadyLane lane) {
        rotation.computeIfAbsent(lane.needs.fairnessKey(), key -> new LinkedHashSet<>())
                .add(lane);
    }

    void close(ReadyLane lane) {
        Set<ReadyLane> same = rotation.get(lane.needs.fairnessKey());
        if (same != null && same.remove(lane) && same.isEmpty()) {
            rotation.remove(lane.needs.fairnessKey());
        }
    }

    boolean accepts(WorkNeeds needs) {
        return needs.maySuit(filter);
    }
}
