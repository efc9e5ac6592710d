package io.sluice.provider.cosmos.candidate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Announced work that is not to be tried yet: its time has not come, or its candidate could not be taken. The latter is
 * tried again at its time, or as soon as this process releases the candidate. Guarded by its owner's lock.
 */
final class LaterWork {
    /** Looks that this process gave itself; more are left to the announcements. */
    private static final int MOST_OWN = 10_000;

    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::atMillis));
    private final Map<String, List<AnnouncedWork>> retries = new HashMap<>();
    private int own;

    /** @param work null for what is to be tried again of the key */
    private record Due(long atMillis, String key, @Nullable AnnouncedWork work) {}

    /** Keeps it until then (milliseconds); nothing of this process's own where there is too much of it. */
    void add(long atMillis, AnnouncedWork work) {
        boolean isOwn = work.settlement().isOwn();
        if (!isOwn || own < MOST_OWN) {
            due.add(new Due(atMillis, work.key(), work));
            own += isOwn ? 1 : 0;
        }
    }

    /** Keeps what could not be taken until then, or until the candidate is released. */
    void addRetry(long atMillis, String key, List<AnnouncedWork> works) {
        retries.computeIfAbsent(key, some -> new ArrayList<>()).addAll(works);
        due.add(new Due(atMillis, key, null));
    }

    /** When the next becomes due (milliseconds); null when none is waited for. */
    @Nullable
    Long nextDue() {
        Due first = due.peek();
        return first == null ? null : first.atMillis();
    }

    /** Takes what is due. */
    List<AnnouncedWork> removeDue(long nowMillis) {
        List<AnnouncedWork> removed = new ArrayList<>();
        for (Due first = due.peek(); first != null && first.atMillis() <= nowMillis; first = due.peek()) {
            due.remove();
            AnnouncedWork work = first.work();
            if (work == null) {
                removed.addAll(removeRetries(first.key()));
            } else {
                own -= work.settlement().isOwn() ? 1 : 0;
                removed.add(work);
            }
        }
        return removed;
    }

    /** Takes what is to be tried again of a candidate, whether it is due or not. */
    List<AnnouncedWork> removeRetries(String key) {
        @Nullable List<AnnouncedWork> removed = retries.remove(key);
        return removed == null ? List.of() : removed;
    }
}
