package io.sluice.relay.dispatch;

import io.sluice.relay.dispatch.FoundWork.Activity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The activities of one range that are due later: each is announced when it is due, since a worker that is told of it
 * earlier can't wait. Their number is limited; those with the latest times are left out. Thread-safe.
 */
final class HeldActivities {
    /** Says that nothing was left out, or that nothing is held. */
    static final long NEVER = Long.MAX_VALUE;

    private static final Comparator<Activity> BY_TIME =
            Comparator.comparingLong(Activity::dueAt).thenComparing(Activity::id);

    private final int most;
    private final TreeSet<Activity> byTime = new TreeSet<>(BY_TIME);
    private final Map<String, Activity> byId = new HashMap<>();

    HeldActivities(int most) {
        this.most = most;
    }

    /**
     * Holds activities; one that is held already is replaced.
     *
     * @return the earliest time of those that were left out; {@link #NEVER} when none was
     */
    synchronized long hold(List<Activity> activities) {
        long leftOut = NEVER;
        for (var activity : activities) {
            remove(activity.id());
            byId.put(activity.id(), activity);
            byTime.add(activity);
            if (byTime.size() > most) {
                var latest = byTime.last();
                remove(latest.id());
                leftOut = Math.min(leftOut, latest.dueAt());
            }
        }
        return leftOut;
    }

    /** Holds activities that were taken out, as {@link #hold}, but for those held since: these are later versions. */
    synchronized long holdAgain(List<Activity> taken) {
        return hold(taken.stream()
                .filter(activity -> !byId.containsKey(activity.id()))
                .toList());
    }

    /** Forgets activities of which a later version was read. */
    synchronized void forget(Collection<String> ids) {
        ids.forEach(this::remove);
    }

    /** Takes out the activities that are due, the earliest first. */
    synchronized List<Activity> takeDue(long now, int atMost) {
        var due = new ArrayList<Activity>();
        while (due.size() < atMost && !byTime.isEmpty() && byTime.first().dueAt() <= now) {
            var first = byTime.first();
            remove(first.id());
            due.add(first);
        }
        return due;
    }

    /** When the first one is due; {@link #NEVER} when none is held. */
    synchronized long nextAt() {
        return byTime.isEmpty() ? NEVER : byTime.first().dueAt();
    }

    synchronized int size() {
        return byTime.size();
    }

    private void remove(String id) {
        var held = byId.remove(id);
        if (held != null) {
            byTime.remove(held);
        }
    }
}
