package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import java.util.ArrayList;
import java.util.List;
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

    private final WorkLimits limits;
    private final List<WorkDecision> decisions = new ArrayList<>();
    private final SearchPlan search;
    private final WorkEntries entries;
    private final Fetches fetches;
    private final WorkIntake intake;
    private final WorkDemand demand;
    private long events;

    /** Of one queue. */
    public WorkIndex(WorkLimits limits) {
        this.limits = limits;
        this.search = new SearchPlan(limits);
        this.entries = new WorkEntries(limits, search, decisions);
        this.demand = new WorkDemand(limits, entries);
        this.fetches = new Fetches(limits, entries, demand, decisions, () -> ++events);
        this.intake = new WorkIntake(limits, entries, demand, decisions, () -> ++events);
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
        fetches.take(fetch, filter, isOver, now);
        return decide(now);
    }

    /** A fetch ends: it has work, or failed, or its caller went away. What it tried is concluded apart from this. */
    public List<WorkDecision> leave(long fetch, WorkMoment now) {
        fetches.leave(fetch);
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
        intake.announced(works, receipt, toldTo, delivery, now);
        return decide(now);
    }

    /** This process wrote work. Where none of its dispatchers fetches, a search of the first that does finds it. */
    public List<WorkDecision> written(KnownWork work, WorkMoment now) {
        entries.advance(now.millis());
        intake.written(work, now);
        return decide(now);
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

    /**
     * A search was answered.
     *
     * @param number of the search
     */
    public List<WorkDecision> found(long number, WorkFound found, WorkMoment now) {
        entries.advance(now.millis());
        boolean hasNews = intake.found(number, found, now);
        search.answered(number, hasNews, fetches.extentForAll(number, found.extent(), hasNews), now.steadyMillis());
        fetches.wakeOver();
        return decide(now);
    }

    /** A search failed, or its answer did; the next comes after a rest. */
    public List<WorkDecision> searchFailed(long number, WorkMoment now) {
        if (search.isUnderWay(number)) {
            search.failed(number, now.steadyMillis());
        }
        fetches.wakeOver();
        return decide(now);
    }

    /** Announcements may have been lost. */
    public List<WorkDecision> lost(WorkMoment now) {
        search.lost(now.steadyMillis());
        return decide(now);
    }

    /** Work for a filter begins to be announced: what there is of it may not have been. */
    public List<WorkDecision> joined(WorkMoment now) {
        search.hurry(now.steadyMillis());
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
            fetches.askAgain(entry);
        }
        outcome.tell(new Conclusion(entries, entry, now.millis()));
        search.hurrySoon(now.steadyMillis());
        return decide(now);
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
        return new WorkMoment(due, entries.lanes().waiters() > 0 ? fetches.nextSearch() : Long.MAX_VALUE);
    }

    /** Whether some of what is announced may go to another process. */
    private boolean isDemanded() {
        return limits.queue() == WorkQueue.ACTIVITIES || limits.waits().isHelpTaken();
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
        decisions.forEach(fetches::noteWoken);
        List<WorkDecision> made = List.copyOf(decisions);
        decisions.clear();
        return made;
    }
}
