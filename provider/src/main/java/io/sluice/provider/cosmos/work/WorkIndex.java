package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where work is: all that this process knows of one queue, by announcements, searches and its own writes, for
 * dispatchers of any filter. Each method tells it of something that has happened at a time (milliseconds, never going
 * back), and returns what is to be done. It makes no request, has no thread and no clock; guarded by its owner's lock.
 *
 * <p>An entry is an instance (turns) or the document of an activity. Its states:
 *
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>from</th><th>to</th><th>when</th></tr>
 * <tr><td>-</td><td>Ready, Due</td><td>something is heard of it that is due, or will be</td></tr>
 * <tr><td>Due</td><td>Ready, Due</td><td>its time has come; something is heard that is due earlier</td></tr>
 * <tr><td>Ready</td><td>Taken</td><td>a fetch tries it, and nobody else until it is concluded</td></tr>
 * <tr><td>Ready</td><td>Due</td><td>what was ready is gone or handed on, and something is due later</td></tr>
 * <tr><td>Taken</td><td>Ready, Due</td><td>Done, and more has been heard; Returned at once; Lost; Unsuitable</td></tr>
 * <tr><td>Taken</td><td>BackingOff</td><td>Returned until later, Contended, NotSeen, Broken</td></tr>
 * <tr><td>Taken</td><td>AwaitsStart</td><td>Unstarted</td></tr>
 * <tr><td>BackingOff</td><td>Ready, Due</td><td>its time has come; after NotSeen also when something is heard</td></tr>
 * <tr><td>AwaitsStart</td><td>Ready, Due</td><td>its start is heard of, or its time has come</td></tr>
 * <tr><td>any</td><td>-</td><td>nothing is left of it</td></tr>
 * </table>
 *
 * <p>The protocols, with their models, are described in {@code docs/protocols/dispatch.md} and
 * {@code docs/protocols/announced_looks.md}.
 */
final class WorkIndex {
    private static final int MOST_HIDDEN = 1_000;

    private final WorkLimits limits;
    private final List<WorkDecision> decisions = new ArrayList<>();
    private final SearchPlan search;
    private final WorkEntries entries;
    private final Map<Long, Fetch> fetches = new HashMap<>();
    private int demanded;

    WorkIndex(WorkLimits limits) {
        this.limits = limits;
        this.search = new SearchPlan(limits);
        this.entries = new WorkEntries(limits, search, decisions);
    }

    /** What becomes of an announcement that is not handled here. */
    enum Delivery {
        /** It is this process's, until another takes over its share of the topic. */
        KEPT,
        /** It can be given back, and goes to another process. */
        RETURNABLE,
        /** The group would drop it if it were given back once more. */
        LAST
    }

    /** A fetch of a dispatcher. */
    private static final class Fetch {
        final WorkFilter filter;
        final long beganMillis;
        /** Of tries once its time is over. */
        int triesLeft;

        boolean isOver;
        boolean isWoken;

        Fetch(WorkFilter filter, long beganMillis, int triesLeft) {
            this.filter = filter;
            this.beganMillis = beganMillis;
            this.triesLeft = triesLeft;
        }
    }

    /**
     * A fetch asks for work, for the first time or again: after a candidate that it could not take, when it is woken,
     * or when its time to wait is over. The decisions have {@link WorkDecision.Try}, {@link WorkDecision.Wait} or
     * {@link WorkDecision.Nothing} for it.
     *
     * @param fetch a number of its own
     * @param untilMillis how long it waits for work; then it tries at most as many candidates as a search finds
     */
    List<WorkDecision> take(long fetch, WorkFilter filter, long untilMillis, long nowMillis) {
        entries.advance(nowMillis);
        if (entries.lanes().use(filter, nowMillis)) {
            search.hurry(nowMillis);
        }
        Fetch asking = fetches.computeIfAbsent(fetch, number -> new Fetch(filter, nowMillis, limits.searchLimit()));
        entries.lanes().leave(filter, fetch);
        boolean isOver = nowMillis >= untilMillis;
        asking.isOver = isOver;
        asking.isWoken = false;
        Optional<WorkEntry> taken =
                isOver && asking.triesLeft == 0 ? Optional.empty() : entries.take(filter, fetch, nowMillis);
        if (taken.isPresent()) {
            asking.triesLeft -= isOver ? 1 : 0;
            decisions.add(new WorkDecision.Try(fetch, entries.candidate(taken.get(), nowMillis)));
        } else if (isOver && (asking.triesLeft == 0 || isAnswered(asking))) {
            fetches.remove(fetch);
            decisions.add(new WorkDecision.Nothing(fetch));
        } else {
            if (isOver) {
                search.hurry(nowMillis);
            }
            entries.lanes().await(filter, fetch);
            long until = isOver ? nowMillis + limits.longestRestMillis() : untilMillis;
            decisions.add(new WorkDecision.Wait(fetch, Math.min(until, next())));
        }
        return decide(nowMillis);
    }

    /** A fetch that finds nothing has had a search of its own, where searches are what finds work. */
    private boolean isAnswered(Fetch asking) {
        return search.isHealthy() || search.hasAnsweredSince(asking.beganMillis);
    }

    /** A fetch ends: it has work, or failed, or its caller went away. What it tried is concluded apart from this. */
    List<WorkDecision> leave(long fetch, long nowMillis) {
        Fetch left = fetches.remove(fetch);
        if (left != null && !entries.lanes().leave(left.filter, fetch) && left.isWoken) {
            // What it was woken for is for somebody else.
            wakeAll();
        }
        return decide(nowMillis);
    }

    /**
     * Work was announced, or another process asks for help with it.
     *
     * @param works what one announcement tells of
     */
    List<WorkDecision> announced(List<KnownWork> works, WorkFeed.Receipt receipt, Delivery delivery, long nowMillis) {
        entries.advance(nowMillis);
        demanded = Math.max(0, demanded - 1);
        boolean isReturnable = delivery == Delivery.RETURNABLE;
        var answer = new HeardWork.Answer(receipt, isReturnable, works.size());
        if (works.isEmpty()) {
            decisions.add(new WorkDecision.Settle(receipt));
        } else if (isReturnable && works.stream().noneMatch(work -> isWelcome(work, nowMillis))) {
            entries.release(answer);
        } else {
            works.forEach(work ->
                    entries.hear(new HeardWork(HeardWork.Source.ANNOUNCED, work, answer, nowMillis), nowMillis));
        }
        return decide(nowMillis);
    }

    /** Whether a free dispatcher takes it, which otherwise goes to another process. */
    private boolean isWelcome(KnownWork work, long nowMillis) {
        WorkNeeds needs = entries.needs(work, nowMillis);
        return !entries.isFullFor(work.key())
                && entries.lanes().waiters() > 0
                && (!needs.isKnown() || entries.lanes().isAccepted(needs));
    }

    /** This process wrote work. */
    List<WorkDecision> written(KnownWork work, long nowMillis) {
        entries.advance(nowMillis);
        hearUnlessFull(new HeardWork(HeardWork.Source.OWN, work.withToken(""), null, nowMillis), nowMillis);
        return decide(nowMillis);
    }

    private void hearUnlessFull(HeardWork heard, long nowMillis) {
        if (entries.isFullFor(heard.work().key())) {
            search.hurry(nowMillis + limits.longestRestMillis());
        } else {
            entries.hear(heard, nowMillis);
        }
    }

    /**
     * A search was answered.
     *
     * @param exhaustive whether it found all there is
     */
    List<WorkDecision> found(List<KnownWork> works, boolean exhaustive, long nowMillis) {
        entries.advance(nowMillis);
        boolean hasNews = false;
        for (KnownWork work : works) {
            WorkNeeds needs = entries.needs(work, nowMillis);
            WorkEntry known = entries.get(work.key());
            boolean isWanted =
                    known == null ? !needs.isKnown() || entries.lanes().isAccepted(needs) : isNews(known, work);
            if (isWanted) {
                hasNews = true;
                hearUnlessFull(new HeardWork(HeardWork.Source.FOUND, work, null, nowMillis), nowMillis);
            }
        }
        search.answered(hasNews, exhaustive, nowMillis);
        wakeOver();
        return decide(nowMillis);
    }

    /** Those whose time is over have waited for a search. */
    private void wakeOver() {
        fetches.forEach((fetch, waiting) -> {
            if (waiting.isOver && entries.lanes().leave(waiting.filter, fetch)) {
                decisions.add(new WorkDecision.Wake(fetch));
            }
        });
    }

    /** What is tried, or backs off, is no news: a replica that lags may still show it. */
    private static boolean isNews(WorkEntry known, KnownWork work) {
        if (known.isReady()) {
            known.waiting().removeIf(heard -> heard.source() == HeardWork.Source.FOUND);
            return true;
        }
        return known.state() instanceof WorkState.Due
                || (known.state() instanceof WorkState.AwaitsStart && work.hasStart());
    }

    /** A search failed; the next comes after a rest. */
    List<WorkDecision> searchFailed(long nowMillis) {
        search.failed(nowMillis);
        wakeOver();
        return decide(nowMillis);
    }

    private void wakeAll() {
        entries.lanes().wakeAll().forEach(fetch -> decisions.add(new WorkDecision.Wake(fetch)));
    }

    /** Announcements may have been lost. */
    List<WorkDecision> lost(long nowMillis) {
        search.lost(nowMillis);
        return decide(nowMillis);
    }

    /** Work that is there, or comes, is announced from now on, or is not. */
    List<WorkDecision> healthy(boolean isHealthy, long nowMillis) {
        search.setHealthy(isHealthy, nowMillis);
        return decide(nowMillis);
    }

    /** The fetch that had this candidate is done with it. */
    List<WorkDecision> concluded(String key, WorkOutcome outcome, long nowMillis) {
        entries.advance(nowMillis);
        WorkEntry entry = entries.get(key);
        if (entry == null || !entry.isTaken()) {
            throw new IllegalStateException("only what is tried can be concluded, " + key + " is not");
        }
        outcome.tell(new Conclusion(entries, entry, nowMillis));
        return decide(nowMillis);
    }

    /** Kafka has taken a request for help, or refused it. */
    List<WorkDecision> handedOn(WorkDecision.HandOn asked, boolean isTaken, long nowMillis) {
        entries.advance(nowMillis);
        WorkEntry entry = entries.get(asked.work().key());
        if (entry != null) {
            entries.help().handedOn(entry, asked.request(), isTaken, nowMillis);
        }
        return decide(nowMillis);
    }

    /** Time has passed: to be called at {@link #next}, at the latest. */
    List<WorkDecision> passed(long nowMillis) {
        entries.advance(nowMillis);
        return decide(nowMillis);
    }

    /** When something becomes due. */
    long next() {
        return isSearchWanted() ? Math.min(entries.next(), search.next()) : entries.next();
    }

    private boolean isSearchWanted() {
        return search.isHealthy() || entries.lanes().waiters() > 0;
    }

    /** How many entries there are. */
    int size() {
        return entries.size();
    }

    /** The state of an entry; null where there is none. */
    @Nullable
    WorkState state(String key) {
        WorkEntry entry = entries.get(key);
        return entry == null ? null : entry.state();
    }

    private List<WorkDecision> decide(long nowMillis) {
        entries.help().advance(nowMillis);
        if (isSearchWanted() && search.isDue(nowMillis)) {
            search.begin(nowMillis);
            decisions.add(new WorkDecision.Search(limits.searchLimit(), entries.hidden(MOST_HIDDEN)));
        }
        int free = Math.max(0, entries.lanes().waiters() - entries.lanes().size());
        if (limits.queue() == WorkQueue.ACTIVITIES && free != demanded) {
            demanded = free;
            decisions.add(new WorkDecision.Demand(free));
        }
        for (WorkDecision decision : decisions) {
            if (decision instanceof WorkDecision.Wake wake) {
                Fetch woken = fetches.get(wake.fetch());
                if (woken != null) {
                    woken.isWoken = true;
                }
            }
        }
        List<WorkDecision> made = List.copyOf(decisions);
        decisions.clear();
        return made;
    }
}
