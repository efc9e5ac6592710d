package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.List;
import java.util.function.LongSupplier;

/** Takes in what is heard of work, and keeps what this process may come to take. */
final class WorkIntake {
    /** A process that only writes keeps no more. */
    private static final int MOST_UNFETCHED = 1_000;

    private final WorkLimits limits;
    private final WorkEntries entries;
    private final SearchPlan search;
    private final WorkDemand demand;
    private final List<WorkDecision> decisions;
    private final LongSupplier place;

    /** @param place the next among all that happens */
    WorkIntake(
            WorkLimits limits,
            WorkEntries entries,
            WorkDemand demand,
            List<WorkDecision> decisions,
            LongSupplier place) {
        this.limits = limits;
        this.entries = entries;
        this.search = entries.search();
        this.demand = demand;
        this.decisions = decisions;
        this.place = place;
    }

    /** As {@link WorkIndex#announced}. */
    void announced(
            List<KnownWork> works,
            WorkFeed.Receipt receipt,
            WorkFilter toldTo,
            WorkIndex.Delivery delivery,
            WorkMoment now) {
        if (delivery != WorkIndex.Delivery.KEPT) {
            demand.sayAgain();
        }
        var answer = new HeardWork.Answer(receipt, toldTo, delivery, works.size());
        List<HeardWork> all = works.stream()
                .map(work -> new HeardWork(HeardWork.Source.ANNOUNCED, work, answer, now, place.getAsLong()))
                .toList();
        works.forEach(work -> entries.needs().noteStart(work, now.millis()));
        if (all.stream()
                .allMatch(heard -> entries.isGone(heard) || entries.needs().isForOthers(heard, now.millis()))) {
            entries.lanes().leave();
            decisions.add(new WorkDecision.Settle(receipt));
        } else if (delivery == WorkIndex.Delivery.HELP && works.stream().noneMatch(this::isHelpUsed)) {
            decisions.add(new WorkDecision.Settle(receipt));
        } else if (delivery == WorkIndex.Delivery.KEPT && works.stream().anyMatch(this::isTooMuch)) {
            entries.lanes().leave();
            search.hurry(now.steadyMillis() + limits.longestRestMillis());
            decisions.add(new WorkDecision.Settle(receipt));
        } else if (delivery != WorkIndex.Delivery.KEPT
                && works.stream().noneMatch(work -> isWelcome(work, now.millis()))) {
            entries.release(answer);
        } else {
            all.forEach(heard -> entries.hear(heard, now.millis()));
        }
    }

    /** Whether a free dispatcher may take it. */
    private boolean isWelcome(KnownWork work, long nowMillis) {
        return !entries.isFullFor(work.key())
                && demand.isWelcome(entries.needs().of(work, nowMillis), nowMillis);
    }

    /** Whether there is something to help with, as far as this process knows: who asks does so again. */
    private boolean isHelpUsed(KnownWork work) {
        WorkEntry entry = entries.get(work.key());
        WorkState state = entry == null ? null : entry.state();
        return state == null
                || state instanceof WorkState.Ready
                || state instanceof WorkState.Due
                || (state instanceof WorkState.AwaitsStart && work.hasStart());
    }

    /** Activities of sessions are announced to everybody, without end. */
    private boolean isTooMuch(KnownWork work) {
        return limits.queue() == WorkQueue.ACTIVITIES && entries.isFullFor(work.key());
    }

    /** As {@link WorkIndex#written}. */
    void written(KnownWork work, WorkMoment now) {
        boolean isFetched = !entries.lanes().filters().isEmpty();
        if (!isFetched && entries.size() >= MOST_UNFETCHED) {
            entries.lanes().leave();
        } else {
            KnownWork own = (search.isHealthy() ? afterItsAnnouncement(work, now.millis()) : work).withToken("");
            hearUnlessFull(new HeardWork(HeardWork.Source.OWN, own, null, now, place.getAsLong()), now);
        }
    }

    /** A start needs no query, and so no announcement. */
    private KnownWork afterItsAnnouncement(KnownWork work, long nowMillis) {
        long afterMillis = limits.waits().ownWorkAfterMillis();
        return work.hasStart() || afterMillis == 0
                ? work
                : work.dueAgainAt(Math.max(work.dueAt(), nowMillis + afterMillis));
    }

    private void hearUnlessFull(HeardWork heard, WorkMoment now) {
        if (entries.isFullFor(heard.work().key())) {
            search.hurry(now.steadyMillis() + limits.longestRestMillis());
        } else {
            entries.hear(heard, now.millis());
        }
    }

    /** What a search has found. Returns whether any of it is news. */
    boolean found(long number, WorkFound found, WorkMoment now) {
        boolean hasNews = false;
        int rank = 0;
        for (KnownWork work : found.works()) {
            rank += found.isTurned() ? 1 : 0;
            WorkNeeds needs = entries.needs().of(work, now.millis());
            WorkEntry known = entries.get(work.key());
            boolean isNew = known == null || !known.isReady() || !known.tellsOf(work);
            boolean isWanted = known == null
                    ? !needs.isKnown() || entries.lanes().isAccepted(needs)
                    : isNews(known, work, number, now);
            if (!isWanted && known == null) {
                entries.lanes().leave();
            }
            if (isWanted) {
                hasNews |= isNew && !entries.isFullFor(work.key());
                HeardWork heard = new HeardWork(HeardWork.Source.FOUND, work, null, now, number);
                heard.setRank(rank);
                hearUnlessFull(heard, now);
            }
        }
        return hasNews;
    }

    /**
     * What is tried, held, or backs off, is no news: a replica that lags may still show it. Of an entry that is ready,
     * the search replaces what earlier searches found, and what this process had written before the search was sent.
     */
    private static boolean isNews(WorkEntry known, KnownWork work, long search, WorkMoment now) {
        if (known.isReady()) {
            known.waiting()
                    .removeIf(heard -> heard.isFound()
                            || (work.isComplete()
                                    && heard.isOwnBefore(search)
                                    && heard.work().dueAt() <= now.millis()));
            return true;
        }
        return known.state() instanceof WorkState.Due
                || (known.state() instanceof WorkState.AwaitsStart && work.hasStart());
    }
}
