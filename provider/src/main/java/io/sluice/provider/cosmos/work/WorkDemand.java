package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * How much announced work that may go to another process this one asks for: for each filter, as many announcements as
 * dispatchers are free and find nothing at hand. A process that always has activities of its own asks for one more
 * after many of them, which may be older: the next worker takes it first.
 */
final class WorkDemand {
    private static final int MOST_OWN_IN_A_ROW = 100;

    private final WorkLimits limits;
    private final WorkEntries entries;
    private final Map<WorkFilter, Free> dispatchers = new HashMap<>();
    private int ownInARow;
    private boolean isSaidAgain;

    WorkDemand(WorkLimits limits, WorkEntries entries) {
        this.limits = limits;
        this.entries = entries;
    }

    /** The dispatchers with this filter. */
    Free of(WorkFilter filter) {
        return dispatchers.computeIfAbsent(filter, each -> new Free());
    }

    /** How many announcements were asked for last. */
    int said(WorkFilter filter) {
        Free those = dispatchers.get(filter);
        return those == null ? 0 : those.said();
    }

    /** The feed may have another number: what was announced took one off, or the filter was not in use. */
    void sayAgain() {
        isSaidAgain = true;
    }

    /** Whether what was announced, and may go to another process, is kept. */
    boolean isWelcome(WorkNeeds needs, long nowMillis) {
        return isTakenSoon(needs, nowMillis)
                || (isOneMoreWanted() && entries.lanes().isAccepted(needs));
    }

    /** Whether a dispatcher that takes it is free. */
    private boolean isTakenSoon(WorkNeeds needs, long nowMillis) {
        return dispatchers.entrySet().stream()
                .anyMatch(each -> (!needs.isKnown() || each.getKey().accepts(needs))
                        && each.getValue().count(nowMillis) > 0);
    }

    private boolean isOneMoreWanted() {
        return isOthersTurn() && entries.lanes().returnable().isEmpty();
    }

    /** Whether what was announced comes first. */
    boolean isOthersTurn() {
        return ownInARow >= MOST_OWN_IN_A_ROW;
    }

    /** A dispatcher tries this. */
    void countOwn(WorkEntry taken) {
        boolean isOwn =
                limits.queue() == WorkQueue.ACTIVITIES && entries.search().isHealthy() && !taken.isAnnounced();
        ownInARow = isOwn ? ownInARow + 1 : 0;
    }

    /** Says what has changed; nobody else's dispatcher waits for what comes here while none is free to take it. */
    void decide(List<WorkDecision> decisions, long nowMillis) {
        if (!isOthersTurn()) {
            entries.help().giveBack(needs -> isTakenSoon(needs, nowMillis), nowMillis);
        }
        Iterator<Map.Entry<WorkFilter, Free>> all = dispatchers.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<WorkFilter, Free> each = all.next();
            WorkFilter filter = each.getKey();
            Free those = each.getValue();
            int count = those.count(nowMillis);
            boolean isInUse = entries.lanes().filters().contains(filter);
            int wanted = isInUse ? wanted(filter, count) : 0;
            if (wanted != those.said() || (isSaidAgain && wanted > 0)) {
                those.say(wanted);
                decisions.add(new WorkDecision.Demand(filter, wanted));
            }
            if (!isInUse && count == 0) {
                all.remove();
            }
        }
        isSaidAgain = false;
    }

    private int wanted(WorkFilter filter, int free) {
        int wanted = free - entries.lanes().ready(filter, free);
        return wanted == 0 && isOneMoreWanted() ? 1 : wanted;
    }

    /**
     * How many dispatchers with one filter can take what is announced: those whose fetch has nothing yet, and those
     * whose fetch has just ended with nothing, since they come again soon. Without these, nothing could be announced
     * to dispatchers that never wait.
     */
    static final class Free {
        private static final long EXPECTED_MILLIS = Duration.ofSeconds(5).toMillis();

        private final Deque<Long> expectedUntilMillis = new ArrayDeque<>();
        private int asking;
        private int said;

        /** A fetch begins. */
        void came() {
            asking++;
            // The one that left last comes again, if any: those before it have less time left.
            expectedUntilMillis.pollLast();
        }

        /** A fetch tries a candidate. */
        void tries() {
            asking--;
        }

        /** It could not take that, and asks again. */
        void asksAgain() {
            asking++;
        }

        /** A fetch that has nothing ends otherwise. */
        void left() {
            asking--;
        }

        /** A fetch ends, and nothing was found for it. */
        void leftWithNothing(long nowMillis) {
            asking--;
            expectedUntilMillis.addLast(nowMillis + EXPECTED_MILLIS);
        }

        int count(long nowMillis) {
            expectedUntilMillis.removeIf(until -> until <= nowMillis);
            return asking + expectedUntilMillis.size();
        }

        /** How many announcements were asked for last. */
        int said() {
            return said;
        }

        void say(int announcements) {
            said = announcements;
        }
    }
}
