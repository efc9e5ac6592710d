package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

/** Ends the try of one entry: answers what was heard of it, and gives it its next state. */
final class Conclusion implements WorkOutcome.Cases {
    private static final long LONGEST_CONTENDED_MILLIS = 5_000;
    private static final long SHORTEST_REST_MILLIS = 100;
    private static final long LONGEST_REST_MILLIS = 5_000;
    private static final long LONG_TRY_MILLIS = 1_000;
    /** A try takes longer only where the process, or its machine, stood still meanwhile. */
    private static final long LONGEST_TRY_MILLIS = 30_000;

    private static final int MOST_DOUBLINGS = 6;
    /** A replica lags less than the last of these, unless it is known to. */
    private static final long[] LOOK_AFTER_MILLIS = {1_000, 5_000, 15_000};
    /** Tokens from before a restore may be ahead of all that comes. */
    private static final long LONGEST_BEHIND_MILLIS = Duration.ofMinutes(10).toMillis();

    private final WorkEntries entries;
    private final WorkEntry entry;
    private final long nowMillis;

    Conclusion(WorkEntries entries, WorkEntry entry, long nowMillis) {
        this.entries = entries;
        this.entry = entry;
        this.nowMillis = nowMillis;
    }

    /**
     * Handled is what was consumed, and what the read had to show and did not. A message that the read may have missed
     * is looked for again.
     */
    @Override
    public void done(WorkOutcome.Done outcome) {
        entry.served();
        entries.needs().seen().forget(entry.key());
        entries.consumed().addAll(outcome);
        List<HeardWork> left = new ArrayList<>();
        for (HeardWork heard : entry.underWay()) {
            if (entries.isGone(heard)) {
                entries.settle(heard);
            } else if (outcome.mayBeMore()) {
                heard.tryAgain();
                left.add(heard);
            } else {
                settleOrLookAgain(heard, "", left);
            }
        }
        replace(left);
        entries.place(entry, nowMillis);
    }

    /**
     * It says nothing of other versions that were announced. What this process wrote or found was tried in the version
     * that is gone, or in one that it does not know.
     */
    @Override
    public void gone(WorkOutcome.Gone outcome) {
        entry.served();
        entries.needs().seen().forget(entry.key());
        entries.consumed().addAll(new WorkOutcome.Done(Set.of(outcome.version()), false));
        entry.underWay().removeIf(heard -> !heard.isAnnounced());
        lost();
    }

    private void settleOrLookAgain(HeardWork heard, String sessionToken, List<HeardWork> left) {
        if (heard.isShownAt(sessionToken) || !isLookedForAgain(heard, heard.isHiddenAt(sessionToken))) {
            entries.settle(heard);
        } else {
            left.add(heard);
        }
    }

    /** @param isHidden whether the replica is behind for certain, so that it is waited for */
    private boolean isLookedForAgain(HeardWork heard, boolean isHidden) {
        // At the time of the read: a turn that was locked by it may have run for long.
        long age = entry.takenMillis() - heard.heardMillis();
        long after = LongStream.of(LOOK_AFTER_MILLIS)
                .filter(millis -> millis > age)
                .findFirst()
                .orElse(
                        isHidden && age < LONGEST_BEHIND_MILLIS
                                ? age + LOOK_AFTER_MILLIS[LOOK_AFTER_MILLIS.length - 1]
                                : 0);
        if (after == 0) {
            return false;
        }
        heard.notSeen(heard.heardMillis() + after);
        return true;
    }

    private void replace(List<HeardWork> left) {
        entry.underWay().clear();
        entry.waiting().addAll(0, left);
    }

    /** A request for help has done what it can: the process that asks still has the announcement. */
    private void endHelp() {
        entry.underWay().removeIf(heard -> {
            if (heard.isHelp()) {
                entries.settle(heard);
            }
            return heard.isHelp();
        });
    }

    @Override
    public void locked() {
        entry.served();
        entries.needs().seen().forget(entry.key());
        if (entry.heldUntilMillis() > nowMillis) {
            endHelp();
            entries.place(entry, nowMillis);
        } else {
            lost();
        }
    }

    @Override
    public void notSeen(WorkOutcome.NotSeen outcome) {
        endHelp();
        List<HeardWork> left = new ArrayList<>();
        entry.underWay().forEach(heard -> settleOrLookAgain(heard, outcome.sessionToken(), left));
        replace(left);
        long next = entry.nextDue();
        if (left.isEmpty() || next <= nowMillis) {
            entries.place(entry, nowMillis);
        } else {
            entries.backOff(entry, new WorkState.BackingOff(next, WorkState.Reason.NOT_SEEN), next);
        }
    }

    @Override
    public void returned(WorkOutcome.Returned outcome) {
        retry(outcome.untilMillis(), WorkState.Reason.RETURNED);
    }

    @Override
    public void refused(WorkOutcome.Refused outcome) {
        int before = entry.refused(nowMillis) - 1;
        long least = before == 0 ? 0 : SHORTEST_REST_MILLIS << Math.min(MOST_DOUBLINGS, before - 1);
        long took = outcome.tookMillis() < LONG_TRY_MILLIS ? 0 : Math.min(LONGEST_TRY_MILLIS, outcome.tookMillis());
        if (before > 0) {
            entry.underWay().removeIf(entries.help()::giveBack);
        }
        retry(nowMillis + Math.max(took, Math.min(LONGEST_REST_MILLIS, least)), WorkState.Reason.RETURNED);
    }

    @Override
    public void lost() {
        retry(0, WorkState.Reason.RETURNED);
    }

    @Override
    public void contended(WorkOutcome.Contended outcome) {
        endHelp();
        long until = Math.min(outcome.untilMillis(), nowMillis + LONGEST_CONTENDED_MILLIS);
        retry(Math.max(until, nowMillis + SHORTEST_REST_MILLIS), WorkState.Reason.CONTENDED);
    }

    private void retry(long untilMillis, WorkState.Reason why) {
        entry.underWay().forEach(HeardWork::tryAgain);
        entry.putBack();
        if (untilMillis <= nowMillis || entry.waiting().isEmpty()) {
            entries.place(entry, nowMillis);
        } else {
            entries.backOff(entry, new WorkState.BackingOff(untilMillis, why), untilMillis);
        }
    }

    /** Dispatchers whose filters take it get it; where there are none, it is left to processes that have some. */
    @Override
    public void unsuitable(WorkOutcome.Unsuitable outcome) {
        if (mayBeBehind(outcome)) {
            lookAgain(outcome);
            return;
        }
        entries.needs().seen().note(entry.key(), outcome, nowMillis);
        entry.setNeeds(outcome.needs());
        endHelp();
        if (outcome.untilMillis() > nowMillis && !entries.lanes().isAccepted(outcome.needs())) {
            leaveToOwner(outcome.untilMillis());
        } else {
            entry.underWay().forEach(heard -> heard.correctNeeds(outcome.needs()));
        }
        entry.putBack();
        entries.place(entry, nowMillis);
    }

    /**
     * Whether the look may have shown the instance as it was before it continued as what was announced: processes with
     * other filters don't look for that.
     */
    private boolean mayBeBehind(WorkOutcome.Unsuitable outcome) {
        WorkNeeds found = outcome.needs();
        return found.orchestration() != null
                && !entries.lanes().isAccepted(found)
                && (entry.underWay().stream().anyMatch(heard -> isMissing(heard, outcome))
                        || entry.waiting().stream().anyMatch(heard -> isToldOtherwise(heard, found)));
    }

    /** Whether it was told otherwise, and the read may not have shown it. */
    private static boolean isMissing(HeardWork heard, WorkOutcome.Unsuitable outcome) {
        return isToldOtherwise(heard, outcome.needs()) && !heard.isShownAt(outcome.sessionToken());
    }

    /** What was told otherwise is looked for again; all else is there, and waits for that look. */
    private void lookAgain(WorkOutcome.Unsuitable outcome) {
        endHelp();
        List<HeardWork> left = new ArrayList<>();
        for (HeardWork heard : entry.underWay()) {
            if (isMissing(heard, outcome)) {
                settleOrLookAgain(heard, outcome.sessionToken(), left);
            } else {
                heard.tryAgain();
                left.add(heard);
            }
        }
        replace(left);
        long next = entry.waiting().stream()
                .filter(heard -> isToldOtherwise(heard, outcome.needs()))
                .mapToLong(heard -> heard.work().dueAt())
                .filter(dueAt -> dueAt > nowMillis)
                .min()
                .orElse(0);
        if (next > 0) {
            entries.backOff(entry, new WorkState.BackingOff(next, WorkState.Reason.NOT_SEEN), next);
        } else {
            entries.place(entry, nowMillis);
        }
    }

    private static boolean isToldOtherwise(HeardWork heard, WorkNeeds found) {
        WorkNeeds told = heard.work().needs();
        return heard.isAnnounced()
                && !heard.isHelp()
                && told.isKnown()
                && !Objects.equals(told.orchestration(), found.orchestration());
    }

    /**
     * What was announced is another owner's, who heard of it as well. It is tried once more when the owner's claim
     * would lapse: if that was renewed, the owner lives; should it die later, the relay announces what is overdue.
     */
    private void leaveToOwner(long untilMillis) {
        List<HeardWork> left = new ArrayList<>();
        for (HeardWork heard : entry.underWay()) {
            if (heard.isAnnounced() && heard.looks() > 0) {
                entries.settle(heard);
            } else {
                if (heard.isAnnounced()) {
                    heard.notSeen(untilMillis);
                }
                left.add(heard);
            }
        }
        replace(left);
    }

    @Override
    public void unstarted(WorkOutcome.Unstarted outcome) {
        entry.underWay().forEach(entries::settle);
        entry.underWay().clear();
        long startDue = entry.waiting().stream()
                .filter(heard -> heard.work().hasStart())
                .mapToLong(heard -> heard.work().dueAt())
                .min()
                .orElse(Long.MAX_VALUE);
        long until = Math.min(startDue, outcome.untilMillis());
        if (until <= nowMillis) {
            entries.place(entry, nowMillis);
        } else {
            entries.backOff(entry, new WorkState.AwaitsStart(until), until);
        }
    }

    /** What can't be read must not hold back the offsets of others: it is kept in mind. */
    @Override
    public void broken(WorkOutcome.Broken outcome) {
        HeardWork first = entry.underWay().get(0);
        entry.underWay().forEach(entries::settle);
        entry.underWay().clear();
        long until = Math.max(outcome.untilMillis(), nowMillis + SHORTEST_REST_MILLIS);
        entry.waiting().add(first.asOwn(first.work().dueAgainAt(until)));
        entries.backOff(entry, new WorkState.BackingOff(until, WorkState.Reason.BROKEN), until);
    }
}
