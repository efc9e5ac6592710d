package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where work is: all that this process knows of one queue, by announcements, searches and its own writes, for
 * dispatchers of any filter. Each method tells it of something that has happened at a moment, and returns what is to be
 * done. It makes no request, has no thread and no clock; guarded by its owner's lock.
 *
 * <p>An entry is an instance (turns) or the document of an activity. Its states:
 *
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>from</th><th>to</th><th>when</th></tr>
 * <tr><td>-</td><td>Ready, Due</td><td>something is heard of it that is due, or will be</td></tr>
 * <tr><td>Due</td><td>Ready, Due</td><td>its time has come; something is heard that is due earlier</td></tr>
 * <tr><td>Ready</td><td>Taken</td><td>a fetch tries it, and nobody else until it is concluded</td></tr>
 * <tr><td>Ready</td><td>Due</td><td>what was ready is gone or left to others, and something is due later</td></tr>
 * <tr><td>Taken</td><td>Held</td><td>Locked: a turn of it is run by this process</td></tr>
 * <tr><td>Held</td><td>Ready, Due</td><td>that turn is acked, abandoned or lost, and there is more</td></tr>
 * <tr><td>any but Taken</td><td>Held</td><td>this process locked it without having it from here</td></tr>
 * <tr><td>Taken</td><td>Ready, Due</td><td>Done, and there is more; Returned at once; Lost; Unsuitable</td></tr>
 * <tr><td>Taken</td><td>BackingOff</td><td>Returned until later, Refused, Contended, NotSeen, Broken</td></tr>
 * <tr><td>Taken</td><td>AwaitsStart</td><td>Unstarted</td></tr>
 * <tr><td>BackingOff</td><td>Ready, Due</td><td>its time has come; after NotSeen also when something is heard</td></tr>
 * <tr><td>AwaitsStart</td><td>Ready, Due</td><td>its start is heard of, now or later; or its time has come</td></tr>
 * <tr><td>any</td><td>-</td><td>nothing is left of it</td></tr>
 * </table>
 *
 * <p>The protocols, with their models, are described in {@code docs/protocols/dispatch.md} and
 * {@code docs/protocols/announced_looks.md}.
 */
public final class WorkIndex {
    private static final int MOST_HIDDEN = 10_000;
    /** A process that only writes keeps no more. */
    private static final int MOST_UNFETCHED = 1_000;
    /** A fetch whose time is over tries what there is, but comes to an end. */
    private static final int MOST_TRIES = 2_000;

    private final WorkLimits limits;
    private final List<WorkDecision> decisions = new ArrayList<>();
    private final SearchPlan search;
    private final WorkEntries entries;
    private final Map<Long, Fetch> fetches = new HashMap<>();
    private final WorkDemand demand;
    private long events;

    /** Of one queue. */
    public WorkIndex(WorkLimits limits) {
        this.limits = limits;
        this.search = new SearchPlan(limits);
        this.entries = new WorkEntries(limits, search, decisions);
        this.demand = new WorkDemand(limits, entries);
    }

    /** Who has an announcement. */
    public enum Delivery {
        /** This process alone, until another takes over its share of the topic. */
        KEPT,
        /** This process, which can give it to another. */
        RETURNABLE,
        /** The same, of what another process has as well, and asks for help with. */
        HELP
    }

    /** A fetch of a dispatcher. */
    private static final class Fetch {
        final WorkFilter filter;
        /** Its place among all that happened. */
        final long began;
        /** Since its time is over: each once, else it might never end. */
        final Set<String> tried = new HashSet<>();
        /** A search that leaves out what it has tried, so that it says nothing to others; 0 for none. */
        long ownSearch;

        boolean isAnsweredAlone;

        boolean isTrying;
        boolean isOver;
        boolean isWoken;

        Fetch(WorkFilter filter, long began) {
            this.filter = filter;
            this.began = began;
        }
    }

    /**
     * A fetch asks for work, for the first time or again: after a candidate that it could not take, after a search,
     * when it is woken, or when its time to wait is over. The decisions have one for it of {@link WorkDecision.Try},
     * {@link WorkDecision.Search}, {@link WorkDecision.Wait} or {@link WorkDecision.Nothing}.
     *
     * @param fetch a number of its own
     * @param isOver whether its time to wait is over; then it tries no more candidates than a search finds, or, where
     *     searches are what finds work, all that they show, each once
     */
    public List<WorkDecision> take(long fetch, WorkFilter filter, boolean isOver, WorkMoment now) {
        entries.advance(now.millis());
        if (entries.lanes().use(filter, now.steadyMillis())) {
            search.hurry(now.steadyMillis());
        }
        Fetch asking = fetches.computeIfAbsent(fetch, number -> begin(filter));
        asksAgain(asking);
        entries.lanes().leave(filter, fetch);
        asking.isOver = isOver;
        asking.isWoken = false;
        answer(fetch, asking, now);
        return decide(now);
    }

    private Fetch begin(WorkFilter filter) {
        demand.of(filter).came();
        demand.sayAgain(filter);
        return new Fetch(filter, ++events);
    }

    private void answer(long fetch, Fetch asking, WorkMoment now) {
        if (search.comesFirst(entries.lanes().hasFound(), now.steadyMillis())) {
            search(fetch, asking, now);
            return;
        }
        boolean mayTry =
                !asking.isOver || asking.tried.size() < (search.isHealthy() ? limits.searchLimit() : MOST_TRIES);
        Optional<WorkEntry> taken = mayTry ? take(fetch, asking, now) : Optional.empty();
        if (taken.isPresent()) {
            if (asking.isOver) {
                asking.tried.add(taken.get().key());
            }
            asking.isTrying = true;
            demand.of(asking.filter).tries();
            decisions.add(new WorkDecision.Try(fetch, entries.candidate(taken.get(), asking.began, now)));
        } else if (asking.isOver && (!mayTry || isAnswered(asking, now))) {
            fetches.remove(fetch);
            demand.of(asking.filter).leftWithNothing(now.millis());
            decisions.add(new WorkDecision.Nothing(fetch));
        } else {
            if (asking.isOver && !search.isUnderWaySince(asking.began)) {
                search.hurry(now.steadyMillis());
            }
            if (search.isDue(asking.isOver, now.steadyMillis())) {
                search(fetch, asking, now);
            } else {
                entries.lanes().await(asking.filter, fetch);
                decisions.add(new WorkDecision.Wait(fetch));
            }
        }
    }

    private Optional<WorkEntry> take(long fetch, Fetch asking, WorkMoment now) {
        var preference = new WorkEntries.Preference(
                entry -> asking.tried.contains(entry.key()),
                demand.of(asking.filter).isOthersTurn());
        Optional<WorkEntry> taken = entries.take(asking.filter, fetch, preference, now);
        taken.ifPresent(entry -> demand.countOwn(asking.filter, entry));
        return taken;
    }

    private void search(long fetch, Fetch asking, WorkMoment now) {
        long number = ++events;
        search.begin(number, now.steadyMillis());
        List<String> hidden = entries.hidden(MOST_HIDDEN, now.millis());
        int common = hidden.size();
        hidden.addAll(asking.tried);
        hidden.addAll(entries.lanes().unsuitable(asking.filter, MOST_HIDDEN));
        if (hidden.size() > common) {
            asking.ownSearch = number;
        }
        var request = new WorkSearch.Request(
                number,
                limits.searchLimit(),
                hidden,
                entries.lanes().filters(),
                asking.isOver && search.hasAnsweredAnySince(asking.began),
                search.isHealthy());
        decisions.add(new WorkDecision.Search(fetch, request));
    }

    /** A fetch that finds nothing has had a search of its own, where searches are what finds work. */
    private boolean isAnswered(Fetch asking, WorkMoment now) {
        if (search.isHealthy()) {
            return !search.isDue(false, now.steadyMillis());
        }
        return asking.isAnsweredAlone || search.hasAnsweredSince(asking.began);
    }

    /** A fetch ends: it has work, or failed, or its caller went away. What it tried is concluded apart from this. */
    public List<WorkDecision> leave(long fetch, WorkMoment now) {
        Fetch left = fetches.remove(fetch);
        if (left != null && !left.isTrying) {
            demand.of(left.filter).left();
        }
        if (left != null && !entries.lanes().leave(left.filter, fetch) && left.isWoken) {
            // What it was woken for is for somebody else.
            wakeAll();
        }
        return decide(now);
    }

    /**
     * Work was announced, or another process asks for help with it.
     *
     * @param works what one announcement tells of
     * @param toldTo the filter of the processes that share the announcement; those with other filters are told as well
     */
    public List<WorkDecision> announced(
            List<KnownWork> works, WorkFeed.Receipt receipt, WorkFilter toldTo, Delivery delivery, WorkMoment now) {
        entries.advance(now.millis());
        if (delivery != Delivery.KEPT) {
            demand.sayAgain(toldTo);
        }
        var answer = new HeardWork.Answer(receipt, toldTo, delivery, works.size());
        List<HeardWork> all = works.stream()
                .map(work -> new HeardWork(HeardWork.Source.ANNOUNCED, work, answer, now, ++events))
                .toList();
        works.forEach(work -> entries.noteStart(work, now.millis()));
        if (all.stream().allMatch(heard -> entries.isGone(heard) || entries.isForOthers(heard, now.millis()))) {
            entries.lanes().leave();
            decisions.add(new WorkDecision.Settle(receipt));
        } else if (delivery == Delivery.HELP && works.stream().noneMatch(this::isHelpUsed)) {
            decisions.add(new WorkDecision.Settle(receipt));
        } else if (delivery == Delivery.KEPT && works.stream().anyMatch(this::isTooMuch)) {
            entries.lanes().leave();
            search.hurry(now.steadyMillis() + limits.longestRestMillis());
            decisions.add(new WorkDecision.Settle(receipt));
        } else if (delivery != Delivery.KEPT && works.stream().noneMatch(work -> isWelcome(work, now.millis()))) {
            entries.release(answer);
        } else {
            all.forEach(heard -> entries.hear(heard, now.millis()));
        }
        return decide(now);
    }

    /** Whether a free dispatcher may take it. */
    private boolean isWelcome(KnownWork work, long nowMillis) {
        return !entries.isFullFor(work.key()) && demand.isWelcome(entries.needs(work, nowMillis), nowMillis);
    }

    /** Whether there is something to help with, as far as this process knows: who asks does so again. */
    private boolean isHelpUsed(KnownWork work) {
        WorkState state = state(work.key());
        return state == null
                || state instanceof WorkState.Ready
                || state instanceof WorkState.Due
                || (state instanceof WorkState.AwaitsStart && work.hasStart());
    }

    /** Activities of sessions are announced to everybody, without end. */
    private boolean isTooMuch(KnownWork work) {
        return limits.queue() == WorkQueue.ACTIVITIES && entries.isFullFor(work.key());
    }

    /** This process wrote work. Where none of its dispatchers fetches, a search of the first that does finds it. */
    public List<WorkDecision> written(KnownWork work, WorkMoment now) {
        entries.advance(now.millis());
        boolean isFetched = !entries.lanes().filters().isEmpty();
        if (!isFetched && entries.size() >= MOST_UNFETCHED) {
            entries.lanes().leave();
        } else {
            KnownWork own = (search.isHealthy() ? afterItsAnnouncement(work, now.millis()) : work).withToken("");
            hearUnlessFull(new HeardWork(HeardWork.Source.OWN, own, null, now, ++events), now);
        }
        return decide(now);
    }

    /** A start needs no query, and so no announcement. */
    private KnownWork afterItsAnnouncement(KnownWork work, long nowMillis) {
        long afterMillis = limits.waits().ownWorkAfterMillis();
        return work.hasStart() || afterMillis == 0
                ? work
                : work.dueAgainAt(Math.max(work.dueAt(), nowMillis + afterMillis));
    }

    /** A turn of the instance has queued so many activities. */
    public List<WorkDecision> expectCompletions(String key, int activities, WorkMoment now) {
        entries.expectCompletions(key, activities);
        return decide(now);
    }

    /** This process has completed one of them. */
    public List<WorkDecision> completed(String key, WorkMoment now) {
        entries.advance(now.millis());
        entries.completed(key, now.millis());
        return decide(now);
    }

    private void hearUnlessFull(HeardWork heard, WorkMoment now) {
        if (entries.isFullFor(heard.work().key())) {
            search.hurry(now.steadyMillis() + limits.longestRestMillis());
        } else {
            entries.hear(heard, now.millis());
        }
    }

    /**
     * A search was answered.
     *
     * @param number of the search
     */
    public List<WorkDecision> found(long number, WorkFound found, WorkMoment now) {
        entries.advance(now.millis());
        boolean hasNews = false;
        int rank = 0;
        for (KnownWork work : found.works()) {
            rank += found.isTurned() ? 1 : 0;
            WorkNeeds needs = entries.needs(work, now.millis());
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
        search.answered(number, hasNews, extentForAll(number, found.extent(), hasNews), now.steadyMillis());
        wakeOver();
        return decide(now);
    }

    private WorkFound.Extent extentForAll(long number, WorkFound.Extent extent, boolean hasNews) {
        for (Fetch fetch : fetches.values()) {
            if (fetch.ownSearch == number) {
                // Another search would show the same.
                fetch.isAnsweredAlone = extent.isWhole() && (extent.isExhaustive() || !hasNews);
                return new WorkFound.Extent(extent.isExhaustive(), false, extent.isAnotherDue(), extent.requests());
            }
        }
        return extent;
    }

    /** Those whose time is over have waited for a search. */
    private void wakeOver() {
        fetches.forEach((fetch, waiting) -> {
            if (waiting.isOver && entries.lanes().leave(waiting.filter, fetch)) {
                decisions.add(new WorkDecision.Wake(fetch));
            }
        });
    }

    /**
     * What is tried, held, or backs off, is no news: a replica that lags may still show it. Of an entry that is ready,
     * the search replaces what earlier searches found, and what this process had written before the search was sent.
     */
    private static boolean isNews(WorkEntry known, KnownWork work, long search, WorkMoment now) {
        if (known.isReady()) {
            known.waiting()
                    .removeIf(heard -> heard.source() == HeardWork.Source.FOUND
                            || (work.isComplete()
                                    && heard.isOwnBefore(search)
                                    && heard.work().dueAt() <= now.millis()));
            return true;
        }
        return known.state() instanceof WorkState.Due
                || (known.state() instanceof WorkState.AwaitsStart && work.hasStart());
    }

    /** A search failed, or its answer did; the next comes after a rest. */
    public List<WorkDecision> searchFailed(long number, WorkMoment now) {
        if (search.isUnderWay(number)) {
            search.failed(number, now.steadyMillis());
        }
        wakeOver();
        return decide(now);
    }

    private void wakeAll() {
        entries.lanes().wakeAll().forEach(fetch -> decisions.add(new WorkDecision.Wake(fetch)));
    }

    /** Announcements may have been lost. */
    public List<WorkDecision> lost(WorkMoment now) {
        search.lost(now.steadyMillis());
        return decide(now);
    }

    /** There may be work that nobody told of. */
    public List<WorkDecision> missed(WorkMoment now) {
        if (!search.isHealthy()) {
            search.hurry(now.steadyMillis());
        }
        return decide(now);
    }

    /** Another process was faster with an activity. */
    public List<WorkDecision> raceLost(WorkMoment now) {
        if (search.isHealthy() && limits.queue() == WorkQueue.ACTIVITIES) {
            entries.dropOwn(now.millis());
        }
        return decide(now);
    }

    /** What was found and is not tried yet may suit no dispatcher: a search that knows better finds what does. */
    public List<WorkDecision> restart(WorkMoment now) {
        entries.dropFound(now.millis());
        search.restart(now.steadyMillis());
        return decide(now);
    }

    /** Work that is there, or comes, is announced from now on, or is not. */
    public List<WorkDecision> healthy(boolean isHealthy, WorkMoment now) {
        search.setHealthy(isHealthy, now.steadyMillis());
        return decide(now);
    }

    /** The fetch that had this candidate is done with it. */
    public List<WorkDecision> concluded(String key, WorkOutcome outcome, WorkMoment now) {
        entries.advance(now.millis());
        WorkEntry entry = entries.get(key);
        if (entry == null || !entry.isTaken()) {
            throw new IllegalStateException("only what is tried can be concluded, " + key + " is not");
        }
        if (!(outcome instanceof WorkOutcome.Done || outcome instanceof WorkOutcome.Locked)) {
            expectAgain(entry);
        }
        outcome.tell(new Conclusion(entries, entry, now.millis()));
        search.hurrySoon(now.steadyMillis());
        return decide(now);
    }

    /** The fetch that could not take it asks again. */
    private void expectAgain(WorkEntry entry) {
        Fetch asking = entry.state() instanceof WorkState.Taken taken ? fetches.get(taken.fetch()) : null;
        if (asking != null) {
            asksAgain(asking);
        }
    }

    private void asksAgain(Fetch asking) {
        if (asking.isTrying) {
            asking.isTrying = false;
            demand.of(asking.filter).asksAgain();
        }
    }

    /** It has its start, or will have it at any moment, whatever was seen of it before. */
    public List<WorkDecision> started(String key, WorkMoment now) {
        entries.advance(now.millis());
        entries.start(key, now.millis());
        return decide(now);
    }

    /** This process has locked a turn of it, or renewed that lock, until then. */
    public List<WorkDecision> held(String key, long untilMillis, WorkMoment now) {
        entries.advance(now.millis());
        entries.hold(key, untilMillis);
        return decide(now);
    }

    /** A turn that this process had locked has ended. */
    public List<WorkDecision> ended(String key, WorkOutcome outcome, WorkMoment now) {
        entries.advance(now.millis());
        WorkEntry entry = entries.get(key);
        if (entry != null) {
            entry.setHeldUntil(0);
        }
        if (entry != null && entry.isHeld()) {
            outcome.tell(new Conclusion(entries, entry, now.millis()));
        } else if (outcome instanceof WorkOutcome.Done done) {
            entries.consumed().addAll(done);
        }
        // Others may have added to it meanwhile.
        search.hurrySoon(now.steadyMillis());
        return decide(now);
    }

    /** Time has passed: to be called at {@link #next}, at the latest. */
    public List<WorkDecision> passed(WorkMoment now) {
        entries.advance(now.millis());
        return decide(now);
    }

    /** When something becomes due, by each clock. */
    public WorkMoment next() {
        long due = isDemanded() ? Math.min(entries.next(), demand.next()) : entries.next();
        return new WorkMoment(due, entries.lanes().waiters() > 0 ? nextSearch() : Long.MAX_VALUE);
    }

    /** Whether some of what is announced may go to another process. */
    private boolean isDemanded() {
        return limits.queue() == WorkQueue.ACTIVITIES || limits.waits().isHelpTaken();
    }

    /** A fetch whose time is over, and that waits, searches beside another. */
    private long nextSearch() {
        boolean isPressed = fetches.entrySet().stream()
                .anyMatch(each ->
                        each.getValue().isOver && entries.lanes().isWaiting(each.getValue().filter, each.getKey()));
        return isPressed ? search.nextPressed() : search.next();
    }

    /** Whether a dispatcher with one of the filters in use takes this. */
    public boolean isAccepted(WorkNeeds needs) {
        return entries.lanes().isAccepted(needs);
    }

    /** Whether this process has a turn of it locked. */
    public boolean isHeld(String key) {
        WorkEntry entry = entries.get(key);
        return entry != null && entry.heldUntilMillis() > 0;
    }

    /** For how many further announcements that may go to another process dispatchers with this filter are free. */
    public int demanded(WorkFilter filter) {
        return demand.said(filter);
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

    private List<WorkDecision> decide(WorkMoment now) {
        entries.lanes().forgetUnused(now.steadyMillis());
        entries.help().advance(now.millis());
        if (search.isDue(false, now.steadyMillis())) {
            entries.lanes().wakeAny().ifPresent(fetch -> decisions.add(new WorkDecision.Wake(fetch)));
        }
        if (isDemanded()) {
            demand.decide(decisions, now.millis());
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
