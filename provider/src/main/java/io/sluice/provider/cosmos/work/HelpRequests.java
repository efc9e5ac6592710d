package io.sluice.provider.cosmos.work;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
    /** With announcements that may go to another process. */
    private final Set<WorkEntry> returnable = new LinkedHashSet<>();

    private long secondBeganMillis = Long.MIN_VALUE;
    private int askedThisSecond;

    HelpRequests(WorkLimits limits, WorkEntries entries, List<WorkDecision> decisions) {
        this.limits = limits;
        this.entries = entries;
        this.decisions = decisions;
    }

    /** The entry is ready, or something was heard of it since. */
    void schedule(WorkEntry entry, long nowMillis) {
        if (entry.waiting().stream().anyMatch(HeardWork::isReturnable)) {
            returnable.add(entry);
        }
        timers.add(entry, nowMillis + (isForNobody(entry) ? 0 : limits.helpAfterMillis()));
    }

    /** How many announced entries other processes could have. */
    int returnable() {
        returnable.removeIf(entry -> !isAtHand(entry));
        return returnable.size();
    }

    /** No dispatcher is free: what other processes can have goes to them. */
    void giveBack(long nowMillis) {
        List<WorkEntry> all = List.copyOf(returnable);
        returnable.clear();
        for (WorkEntry entry : all) {
            if (isAtHand(entry)) {
                entries.keepIn(entry, heard -> !isGivenBack(heard), nowMillis);
            }
        }
    }

    private boolean isAtHand(WorkEntry entry) {
        return entries.get(entry.key()) == entry && entry.isReady();
    }

    private boolean isGivenBack(HeardWork heard) {
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
        return timers.next();
    }

    void advance(long nowMillis) {
        for (Optional<WorkEntry> due = timers.takeDue(nowMillis); due.isPresent(); due = timers.takeDue(nowMillis)) {
            WorkEntry entry = due.get();
            if (entry.isReady()) {
                entry.waiting().removeIf(heard -> heard.work().dueAt() <= nowMillis && isLeft(entry, heard, nowMillis));
                settleDown(entry, nowMillis);
            }
        }
    }

    /** Left to others is what is for their filters, what can go back, and what a search here finds as well as there. */
    private boolean isLeft(WorkEntry entry, HeardWork heard, long nowMillis) {
        if (entries.isForOthers(heard, nowMillis)) {
            entries.lanes().leave();
            entries.settle(heard);
            return true;
        }
        if (!heard.isAnnounced() && isForNobody(entry)) {
            entries.lanes().leave();
            return true;
        }
        return isGivenBack(heard);
    }

    private void settleDown(WorkEntry entry, long nowMillis) {
        if (entry.nextDue() > nowMillis) {
            entries.lanes().remove(entry);
            entries.place(entry, nowMillis);
            return;
        }
        boolean isAsked = limits.waits().isHelpTaken()
                && entries.search().isHealthy()
                && entry.waiting().stream().anyMatch(heard -> heard.isAnnouncedBy(nowMillis));
        if (isAsked && exceedsRate(nowMillis)) {
            timers.add(entry, secondBeganMillis + SECOND_MILLIS);
            return;
        }
        if (isAsked) {
            decisions.add(new WorkDecision.AskForHelp(entry.announced(nowMillis)));
        }
        timers.add(entry, nowMillis + limits.helpAgainMillis());
    }

    private boolean exceedsRate(long nowMillis) {
        if (nowMillis - secondBeganMillis >= SECOND_MILLIS || secondBeganMillis == Long.MIN_VALUE) {
            secondBeganMillis = nowMillis;
            askedThisSecond = 0;
        }
        return ++askedThisSecond > limits.helpPerSecond();
    }
}
