package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.Optional;

/** What entries need, by what was announced of them, and by what a look has found, which holds for a while. */
final class KnownNeeds {
    private final WorkLimits limits;
    private final WorkEntries entries;
    private final RememberedNeeds seen = new RememberedNeeds();
    private final EntryTimers ends = new EntryTimers();

    KnownNeeds(WorkLimits limits, WorkEntries entries) {
        this.limits = limits;
        this.entries = entries;
    }

    /** By looks. */
    RememberedNeeds seen() {
        return seen;
    }

    /** What is known of a key, by this and by earlier looks. */
    WorkNeeds of(KnownWork work, long nowMillis) {
        if (limits.queue() == WorkQueue.ACTIVITIES) {
            // Who owns its session is known by a look alone.
            WorkNeeds found = seen.get(work.key(), nowMillis);
            return found.isKnown() ? found : work.needs();
        }
        noteStart(work, nowMillis);
        return work.needs().isKnown() ? work.needs() : seen.get(work.key(), nowMillis);
    }

    /** The next execution may be of another orchestration than a look has found. */
    void noteStart(KnownWork work, long nowMillis) {
        if (work.hasStart() && limits.queue() == WorkQueue.TURNS) {
            seen.forget(work.key());
            WorkEntry entry = entries.get(work.key());
            if (entry != null) {
                refresh(entry, nowMillis);
            }
        }
    }

    /** Of what is due; a look finds out what was said of later work alone, or what it found out long ago. */
    WorkNeeds of(WorkEntry entry, long nowMillis) {
        if (seen.isOver(entry.key(), nowMillis)) {
            return entry.announcedNeeds();
        }
        return isSeen(entry, nowMillis) || entry.isTold(nowMillis) ? entry.needs() : WorkNeeds.UNKNOWN;
    }

    /** Whether a look has found it out, not long ago. */
    boolean isSeen(WorkEntry entry, long nowMillis) {
        return seen.get(entry.key(), nowMillis).isKnown();
    }

    /** An entry that is ready has needs that a look has found, or that were told of what is due. */
    void refresh(WorkEntry entry, long nowMillis) {
        WorkNeeds needs = of(entry, nowMillis);
        if (entry.isReady() && !needs.equals(entry.needs())) {
            entries.move(entry, needs, nowMillis);
        }
    }

    /** An entry is ready. What a look has found holds for a while. */
    void ready(WorkEntry entry, long nowMillis) {
        if (entry.needs().isKnown() && entry.needs().equals(seen.get(entry.key(), nowMillis))) {
            ends.add(entry, seen.until(entry.key()));
        }
    }

    long next() {
        return ends.next();
    }

    /** One look finds out again what is ready needs, unless an announcement said so. */
    void advance(long nowMillis) {
        for (Optional<WorkEntry> end = ends.takeDue(nowMillis); end.isPresent(); end = ends.takeDue(nowMillis)) {
            WorkEntry entry = end.get();
            if (entry.isReady() && !entry.announcedNeeds().isKnown()) {
                entries.move(entry, WorkNeeds.UNKNOWN, nowMillis);
            }
        }
    }

    /**
     * Whether processes with other filters were told of it, and none of this process's takes it: by its own word, or by
     * what a look found. Another announcement of the same instance may be older. What is due later is not judged by
     * what the instance is now: by then it may have gone on as something else, in a turn that does not take it.
     */
    boolean isForOthers(HeardWork heard, long nowMillis) {
        WorkNeeds told = heard.work().needs();
        boolean isLookedUp = limits.queue() == WorkQueue.ACTIVITIES || !told.isKnown();
        boolean isDue = heard.work().dueAt() <= nowMillis;
        WorkNeeds found = isLookedUp && isDue ? seen.get(heard.work().key(), nowMillis) : told;
        WorkNeeds needs = found.isKnown() ? found : told;
        return heard.isForOtherFilters(needs) && !entries.lanes().isAccepted(needs);
    }
}
