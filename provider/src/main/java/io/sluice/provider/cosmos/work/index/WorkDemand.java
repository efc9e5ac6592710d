package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * How much announced work that may go to another process this one asks for: for each filter, as many announcements as
 * dispatchers are free and find nothing at hand; and for one more where it is {@link OthersTurn}.
 */
final class WorkDemand {
    private final WorkLimits limits;
    private final WorkEntries entries;
    private final Map<WorkFilter, Free> dispatchers = new HashMap<>();

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
        return those == null ? 0 : those.said;
    }

    /** The feed may have another number: what was announced took one off, and several filters may be one to it. */
    void sayAgain() {
        dispatchers.values().forEach(those -> those.isSaidAgain = true);
    }

    /** The feed may have another number: the filter was not in use. */
    void sayAgain(WorkFilter filter) {
        of(filter).isSaidAgain = true;
    }

    /** Whether what was announced, and may go to another process, is kept. */
    boolean isWelcome(WorkNeeds needs, long nowMillis) {
        return isAnyOf(
                needs, (filter, those) -> those.count(nowMillis) > 0 || isOneMoreWanted(filter, those, nowMillis));
    }

    /** Nobody else's dispatcher waits for what was announced here while none is free to take it, or takes it next. */
    private boolean isTakenSoon(WorkNeeds needs, long nowMillis) {
        return isAnyOf(needs, (filter, those) -> those.count(nowMillis) > 0 || those.others.isAsked(nowMillis));
    }

    private boolean isAnyOf(WorkNeeds needs, BiPredicate<WorkFilter, Free> such) {
        return dispatchers.entrySet().stream()
                .anyMatch(each -> needs.maySuit(each.getKey()) && such.test(each.getKey(), each.getValue()));
    }

    private boolean isOneMoreWanted(WorkFilter filter, Free those, long nowMillis) {
        return those.others.isAsked(nowMillis) && !entries.lanes().hasReturnable(filter);
    }

    /** A dispatcher tries this. */
    void countTaken(WorkFilter filter, WorkEntry taken, long nowMillis) {
        boolean isOwn =
                limits.queue() == WorkQueue.ACTIVITIES && entries.search().isHealthy() && !taken.isAnnounced();
        if (isOwn) {
            of(filter).others.ownTaken(nowMillis);
        } else {
            of(filter).others.end();
        }
    }

    /** Says what has changed. */
    void decide(List<WorkDecision> decisions, long nowMillis) {
        entries.help().giveBack(needs -> isTakenSoon(needs, nowMillis), nowMillis);
        Iterator<Map.Entry<WorkFilter, Free>> all = dispatchers.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<WorkFilter, Free> each = all.next();
            WorkFilter filter = each.getKey();
            Free those = each.getValue();
            boolean isInUse = entries.lanes().filters().contains(filter);
            int wanted = isInUse ? wanted(filter, those, nowMillis) : 0;
            if (wanted != those.said || (those.isSaidAgain && wanted > 0)) {
                those.said = wanted;
                decisions.add(new WorkDecision.Demand(filter, wanted));
            }
            those.isSaidAgain = false;
            those.others.advance(nowMillis).ifPresent(fetch -> wake(filter, fetch, decisions));
            if (!isInUse && those.count(nowMillis) == 0) {
                all.remove();
            }
        }
    }

    private void wake(WorkFilter filter, long fetch, List<WorkDecision> decisions) {
        if (entries.lanes().leave(filter, fetch)) {
            decisions.add(new WorkDecision.Wake(fetch));
        }
    }

    private int wanted(WorkFilter filter, Free those, long nowMillis) {
        int free = those.count(nowMillis);
        int wanted = free - entries.lanes().ready(filter, free);
        return wanted == 0 && isOneMoreWanted(filter, those, nowMillis) ? 1 : wanted;
    }

    /** When dispatchers that were expected are expected no more, and what they were to take goes to others. */
    long next() {
        return dispatchers.values().stream()
                .mapToLong(those -> Math.min(those.next(), those.others.next()))
                .min()
                .orElse(Long.MAX_VALUE);
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
        /** How many announcements were asked for last. */
        private int said;

        private boolean isSaidAgain;
        private final OthersTurn others = new OthersTurn();

        OthersTurn others() {
            return others;
        }

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

        private int count(long nowMillis) {
            while (next() <= nowMillis) {
                expectedUntilMillis.removeFirst();
            }
            return asking + expectedUntilMillis.size();
        }

        private long next() {
            Long first = expectedUntilMillis.peekFirst();
            return first == null ? Long.MAX_VALUE : first;
        }
    }
}
