package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries that are ready, in one lane for all that have the same needs, oldest first; and the filters in use, each
 * of which goes round what it accepts. A take costs the logarithm of a lane, however many entries, lanes and
 * filters there are; a lane that fills or empties is noted at each filter.
 */
final class ReadyLanes {
    /** A filter that no dispatcher has used for so long is forgotten. */
    static final long UNUSED_MILLIS = 30_000;
    /** Of more, each is as if it had never been used. */
    private static final int MOST_UNUSED = 1_000;

    private final Map<WorkNeeds, ReadyLane> lanes = new HashMap<>();
    /** The one used longest ago comes first. */
    private final Map<WorkFilter, FilterView> views = new LinkedHashMap<>();

    /** Filters that nobody uses any more, with what had been left to others by then. */
    private final Map<WorkFilter, Long> unused = new LinkedHashMap<>();

    /** Entries that other processes could have, oldest announcement first. */
    private final Set<WorkEntry> returnable = new LinkedHashSet<>();

    private long left;
    private int found;
    private int waiters;

    /** How many entries this filter takes, up to so many. */
    int ready(WorkFilter filter, int most) {
        FilterView view = views.get(filter);
        if (view == null || most <= 0) {
            return 0;
        }
        int ready = 0;
        for (Set<ReadyLane> inTurn : view.rotation.values()) {
            for (ReadyLane lane : inTurn) {
                ready += lane.entries.size();
                if (ready >= most) {
                    return most;
                }
            }
        }
        return ready;
    }

    /** Entries that other processes could have. */
    Set<WorkEntry> returnable() {
        return returnable;
    }

    /** Whether this filter takes one of them. */
    boolean hasReturnable(WorkFilter filter) {
        return returnable.stream().anyMatch(entry -> entry.needs().maySuit(filter));
    }

    int waiters() {
        return waiters;
    }

    void add(WorkEntry entry) {
        ReadyLane lane = lanes.computeIfAbsent(entry.needs(), this::open);
        if (lane.entries.isEmpty()) {
            lane.acceptedBy.forEach(view -> view.open(lane));
        }
        lane.entries.add(entry);
        heardChanged(entry);
    }

    private ReadyLane open(WorkNeeds needs) {
        ReadyLane lane = new ReadyLane(needs);
        views.values().stream().filter(view -> view.accepts(needs)).forEach(lane.acceptedBy::add);
        return lane;
    }

    void remove(WorkEntry entry) {
        ReadyLane lane = lanes.get(entry.needs());
        if (lane == null || !lane.entries.remove(entry)) {
            throw new IllegalStateException("no such entry is ready: " + entry.key());
        }
        found -= entry.uncountFound() ? 1 : 0;
        returnable.remove(entry);
        if (lane.entries.isEmpty()) {
            lanes.remove(lane.needs);
            lane.acceptedBy.forEach(view -> view.close(lane));
        }
    }

    /** Of an entry that is ready more was heard, or something is left to others. */
    void heardChanged(WorkEntry entry) {
        found += entry.countFound() ? 1 : 0;
        if (entry.isReturnable()) {
            returnable.add(entry);
        } else {
            returnable.remove(entry);
        }
    }

    /** Whether any of them was found by a search. */
    boolean hasFound() {
        return found > 0;
    }

    /** Work that no filter in use takes is left to other processes, or was dropped. */
    void leave() {
        left++;
    }

    /**
     * Notes that a dispatcher with this filter asks for work. Returns whether there may be work for it that was left to
     * others while nobody used the filter.
     */
    boolean use(WorkFilter filter, long steadyMillis) {
        FilterView known = views.remove(filter);
        FilterView view = known == null ? new FilterView(filter) : known;
        view.usedMillis = steadyMillis;
        views.put(filter, view);
        if (known == null) {
            lanes.values().stream().filter(lane -> view.accepts(lane.needs)).forEach(lane -> {
                lane.acceptedBy.add(view);
                view.open(lane);
            });
        }
        Long leftBefore = unused.remove(filter);
        return known == null && (leftBefore == null || leftBefore != left);
    }

    /** The filters in use. */
    Set<WorkFilter> filters() {
        return views.keySet();
    }

    /** Forgets filters that nobody uses any more. */
    void forgetUnused(long steadyMillis) {
        while (!views.isEmpty()) {
            FilterView first = views.values().iterator().next();
            if (steadyMillis - first.usedMillis < UNUSED_MILLIS) {
                break;
            }
            views.remove(first.filter);
            if (first.waiting.isEmpty()) {
                unused.put(first.filter, left);
                lanes.values().forEach(lane -> lane.acceptedBy.remove(first));
            } else {
                first.usedMillis = steadyMillis;
                views.put(first.filter, first);
            }
        }
        forgetOldest();
    }

    private void forgetOldest() {
        Iterator<WorkFilter> oldest = unused.keySet().iterator();
        while (unused.size() > MOST_UNUSED) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Whether a filter in use accepts these needs. */
    boolean isAccepted(WorkNeeds needs) {
        return views.values().stream().anyMatch(view -> view.accepts(needs));
    }

    /** Keys of entries that this filter, which is in use, does not take; up to so many. */
    List<String> unsuitable(WorkFilter filter, int most) {
        return lanes.values().stream()
                .filter(lane -> !view(filter).accepts(lane.needs))
                .flatMap(lane -> lane.entries.stream())
                .map(WorkEntry::key)
                .limit(most)
                .toList();
    }

    /** The entry that is next for this filter, which is in use, but for some; it stays ready. */
    Optional<WorkEntry> first(WorkFilter filter, Predicate<WorkEntry> isSkipped) {
        for (Set<ReadyLane> inTurn : view(filter).rotation.values()) {
            Optional<WorkEntry> oldest = inTurn.stream()
                    .flatMap(lane -> lane.entries.stream().filter(entry -> !isSkipped.test(entry)).findFirst().stream())
                    .min(WorkEntry.BY_AGE);
            if (oldest.isPresent()) {
                return oldest;
            }
        }
        return Optional.empty();
    }

    /** The same, of what other processes could have. */
    Optional<WorkEntry> firstReturnable(WorkFilter filter, Predicate<WorkEntry> isSkipped) {
        FilterView view = view(filter);
        return returnable.stream()
                .filter(entry -> view.accepts(entry.needs()) && !isSkipped.test(entry))
                .min(WorkEntry.BY_AGE);
    }

    /** Takes an entry that {@link #first} showed: the next comes from elsewhere. */
    void take(WorkFilter filter, WorkEntry entry) {
        remove(entry);
        Map<String, Set<ReadyLane>> rotation = view(filter).rotation;
        Set<ReadyLane> served = rotation.remove(entry.needs().fairnessKey());
        if (served != null) {
            rotation.put(entry.needs().fairnessKey(), served);
        }
    }

    private FilterView view(WorkFilter filter) {
        FilterView view = views.get(filter);
        if (view == null) {
            throw new IllegalStateException("a filter must be in use");
        }
        return view;
    }

    /** A fetch with this filter, which is in use, waits. */
    void await(WorkFilter filter, long fetch) {
        if (view(filter).waiting.add(fetch)) {
            waiters++;
        }
    }

    /** Whether the fetch waits. */
    boolean isWaiting(WorkFilter filter, long fetch) {
        FilterView view = views.get(filter);
        return view != null && view.waiting.contains(fetch);
    }

    /** The fetch waits no more. Returns whether it did. */
    boolean leave(WorkFilter filter, long fetch) {
        FilterView view = views.get(filter);
        boolean hasWaited = view != null && view.waiting.remove(fetch);
        waiters -= hasWaited ? 1 : 0;
        return hasWaited;
    }

    /** The fetch that has to be woken for work with these needs; it waits no more. Null for none. */
    @Nullable
    Long wakeFor(WorkNeeds needs) {
        for (FilterView view : views.values()) {
            if (!view.waiting.isEmpty() && view.accepts(needs)) {
                Long fetch = view.waiting.iterator().next();
                view.waiting.remove(fetch);
                waiters--;
                return fetch;
            }
        }
        return null;
    }

    /** One of the fetches that wait; it waits no more. */
    Optional<Long> wakeAny() {
        for (FilterView view : views.values()) {
            if (!view.waiting.isEmpty()) {
                Long fetch = view.waiting.iterator().next();
                view.waiting.remove(fetch);
                waiters--;
                return Optional.of(fetch);
            }
        }
        return Optional.empty();
    }

    /** All fetches that wait; none waits any more. */
    List<Long> wakeAll() {
        List<Long> woken = new ArrayList<>();
        views.values().forEach(view -> {
            woken.addAll(view.waiting);
            view.waiting.clear();
        });
        waiters = 0;
        return woken;
    }
}
