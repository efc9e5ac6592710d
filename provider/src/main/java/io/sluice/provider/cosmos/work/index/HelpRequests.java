package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What becomes of announced work that waits for a dispatcher of this process. Other processes with the same filter are
 * asked for help, by a copy: the announcement stays here, so that a request which is lost, late or repeated costs time
 * or one look and nothing else, and a later announcement of the instance does not overtake it. What the filter for
 * which it was announced does not take is for the processes with other filters: they were told as well.
 */
final class HelpRequests {
    private static final long SECOND_MILLIS = 1_000;

    private final WorkLimits limits;
    private final WorkEntries entries;
    private final List<WorkDecision> decisions;
    private final EntryTimers timers = new EntryTimers();
    /** Help is wanted with these, and was asked for as often as it may be; they take turns, oldest first within one. */
    private final Map<String, Deque<Postponed>> postponed = new LinkedHashMap<>();

    private long secondBeganMillis = Long.MIN_VALUE;
    private int askedThisSecond;

    private record Postponed(WorkEntry entry, int stamp) {
        boolean isCurrent() {
            return entry.stamp() == stamp;
        }
    }

    HelpRequests(WorkLimits limits, WorkEntries entries, List<WorkDecision> decisions) {
        this.limits = limits;
        this.entries = entries;
        this.decisions = decisions;
    }

    /** The entry is ready, or something was heard of it since: it is looked after once, however much is heard. */
    void schedule(WorkEntry entry, long nowMillis) {
        scheduleAt(entry, nowMillis + (isForNobody(entry) ? 0 : limits.helpAfterMillis()));
    }

    private void scheduleAt(WorkEntry entry, long atMillis) {
        if (entry.isEarlierHelp(atMillis)) {
            entry.setHelpAt(atMillis);
            timers.add(entry, atMillis);
        }
    }

    /** Of what other processes can have, what no dispatcher takes soon goes to them. */
    void giveBack(Predicate<WorkNeeds> isTakenSoon, long nowMillis) {
        for (WorkEntry entry : List.copyOf(entries.lanes().returnable())) {
            if (!isTakenSoon.test(entry.needs())) {
                entries.keepIn(entry, heard -> !giveBack(heard), nowMillis);
            }
        }
    }

    /** Returns whether others can have it, and do from now on. */
    boolean giveBack(HeardWork heard) {
        HeardWork.Answer answer = heard.answer();
        if (answer == null || !heard.isReturnable()) {
            return false;
        }
        entries.release(answer);
        return true;
    }

    /** Whether no filter in use takes it. */
    private boolean isForNobody(WorkEntry entry) {
        boolean isFetched = !entries.lanes().filters().isEmpty();
        return isFetched && entry.needs().isKnown() && !entries.lanes().isAccepted(entry.needs());
    }

    long next() {
        return postponed.isEmpty() ? timers.next() : Math.min(timers.next(), secondBeganMillis + SECOND_MILLIS);
    }

    void advance(long nowMillis) {
        while (!postponed.isEmpty() && mayAsk(nowMillis)) {
            Postponed first = takePostponed();
            if (first.isCurrent()) {
                look(first.entry(), nowMillis);
            }
        }
        for (Optional<WorkEntry> due = timers.takeDue(nowMillis); due.isPresent(); due = timers.takeDue(nowMillis)) {
            WorkEntry entry = due.get();
            if (entry.isReady() && entry.isHelpDue(nowMillis)) {
                look(entry, nowMillis);
            }
        }
    }

    private void postpone(WorkEntry entry) {
        entry.setHelpAt(WorkEntry.HELP_POSTPONED);
        postponed
                .computeIfAbsent(entry.needs().fairnessKey(), key -> new ArrayDeque<>())
                .addLast(new Postponed(entry, entry.stamp()));
    }

    private Postponed takePostponed() {
        Map.Entry<String, Deque<Postponed>> turn =
                postponed.entrySet().iterator().next();
        Deque<Postponed> same = turn.getValue();
        postponed.remove(turn.getKey());
        Postponed first = same.removeFirst();
        if (!same.isEmpty()) {
            postponed.put(turn.getKey(), same);
        }
        return first;
    }

    private void look(WorkEntry entry, long nowMillis) {
        entry.setHelpAt(WorkEntry.NO_HELP);
        entries.needs().refresh(entry, nowMillis);
        entry.waiting().removeIf(heard -> heard.work().dueAt() <= nowMillis && isLeft(entry, heard, nowMillis));
        settleDown(entry, nowMillis);
    }

    /** Left to others is what is for their filters, what can go back, and what a search here finds as well as there. */
    private boolean isLeft(WorkEntry entry, HeardWork heard, long nowMillis) {
        if (!heard.isCurrent()) {
            return true;
        }
        boolean isFoundByOthers = !heard.isAnnounced() && isForNobody(entry);
        if (isFoundByOthers
                || entries.needs().isForOthers(heard, nowMillis)
                || isOfUnusedFilter(entry, heard, nowMillis)) {
            entries.lanes().leave();
            entries.settle(heard);
            return true;
        }
        return giveBack(heard);
    }

    /**
     * An activity of a session, which all processes hear of, and no worker of this one asks for any more. Where a look
     * found the session's owner, it is tried once more when the owner's claim would lapse.
     */
    private boolean isOfUnusedFilter(WorkEntry entry, HeardWork heard, long nowMillis) {
        return limits.queue() == WorkQueue.ACTIVITIES
                && heard.isAnnounced()
                && !heard.isReturnable()
                && !entries.lanes().isAccepted(entry.needs())
                && !entries.needs().isSeen(entry, nowMillis);
    }

    private void settleDown(WorkEntry entry, long nowMillis) {
        if (entry.nextDue() > nowMillis) {
            entries.lanes().remove(entry);
            entries.place(entry, nowMillis);
            return;
        }
        entries.lanes().heardChanged(entry);
        entries.needs().refresh(entry, nowMillis);
        boolean isAsked = limits.waits().isHelpTaken()
                && entries.search().isHealthy()
                && entry.waiting().stream().anyMatch(heard -> heard.isAnnouncedBy(nowMillis));
        if (isAsked && !mayAsk(nowMillis)) {
            postpone(entry);
            return;
        }
        if (isAsked) {
            askedThisSecond++;
            decisions.add(new WorkDecision.AskForHelp(entry.announced(nowMillis)));
        }
        scheduleAt(entry, nowMillis + limits.helpAgainMillis());
    }

    private boolean mayAsk(long nowMillis) {
        // A clock that was set back counts as a new second.
        boolean isSameSecond = nowMillis >= secondBeganMillis && nowMillis - SECOND_MILLIS < secondBeganMillis;
        if (!isSameSecond) {
            secondBeganMillis = nowMillis;
            askedThisSecond = 0;
        }
        return askedThisSecond < limits.helpPerSecond();
    }
}
