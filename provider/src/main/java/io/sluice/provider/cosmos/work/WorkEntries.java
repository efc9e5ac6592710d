package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The entries of an index, by key, and their steps from state to state. */
final class WorkEntries {
    /** What a search found and no dispatcher took within this time, another search finds again. */
    private static final long FOUND_HOLDS_MILLIS = 5_000;

    /** What is known to be all for a shorter time may not be when the lock is taken. */
    private static final long LEAST_HORIZON_MILLIS = 2_000;

    private final WorkLimits limits;
    private final List<WorkDecision> decisions;
    private final SearchPlan search;
    private final Map<String, WorkEntry> entries = new HashMap<>();
    private final ReadyLanes lanes = new ReadyLanes();
    private final EntryTimers dueTimes = new EntryTimers();
    private final EntryTimers verdictEnds = new EntryTimers();
    private final RecentlyConsumed consumed = new RecentlyConsumed();
    private final RememberedNeeds remembered = new RememberedNeeds();
    private final HelpRequests help;
    private final ExpectedCompletions completions;

    WorkEntries(WorkLimits limits, SearchPlan search, List<WorkDecision> decisions) {
        this.limits = limits;
        this.search = search;
        this.decisions = decisions;
        this.help = new HelpRequests(limits, this, decisions);
        this.completions = new ExpectedCompletions(limits.waits().completionsWithinMillis());
    }

    ReadyLanes lanes() {
        return lanes;
    }

    HelpRequests help() {
        return help;
    }

    RecentlyConsumed consumed() {
        return consumed;
    }

    RememberedNeeds remembered() {
        return remembered;
    }

    SearchPlan search() {
        return search;
    }

    int size() {
        return entries.size();
    }

    @Nullable
    WorkEntry get(String key) {
        return entries.get(key);
    }

    /** Whether it has no room for a further entry of this key. */
    boolean isFullFor(String key) {
        return entries.size() >= limits.mostEntries() && !entries.containsKey(key);
    }

    /** What is known of a key, by this and by earlier looks. */
    WorkNeeds needs(KnownWork work, long nowMillis) {
        if (limits.queue() == WorkQueue.ACTIVITIES) {
            // Who owns its session is known by a look alone.
            WorkNeeds seen = remembered.get(work.key(), nowMillis);
            return seen.isKnown() ? seen : work.needs();
        }
        noteStart(work, nowMillis);
        return work.needs().isKnown() ? work.needs() : remembered.get(work.key(), nowMillis);
    }

    /** The next execution may be of another orchestration than a look has found. */
    void noteStart(KnownWork work, long nowMillis) {
        if (work.hasStart() && limits.queue() == WorkQueue.TURNS) {
            remembered.forget(work.key());
            WorkEntry entry = entries.get(work.key());
            if (entry != null) {
                refresh(entry, nowMillis);
            }
        }
    }

    /** Of what is due; a look finds out what was said of later work alone, or what it found out long ago. */
    private WorkNeeds needs(WorkEntry entry, long nowMillis) {
        if (remembered.isOver(entry.key(), nowMillis)) {
            return entry.announcedNeeds();
        }
        boolean isSeen = remembered.get(entry.key(), nowMillis).isKnown();
        return isSeen || entry.isTold(nowMillis) ? entry.needs() : WorkNeeds.UNKNOWN;
    }

    /** An entry that is ready has needs that a look has found, or that were told of what is due. */
    void refresh(WorkEntry entry, long nowMillis) {
        WorkNeeds needs = needs(entry, nowMillis);
        if (entry.isReady() && !needs.equals(entry.needs())) {
            lanes.remove(entry);
            entry.setNeeds(needs);
            enqueue(entry, nowMillis);
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
        WorkNeeds seen = isLookedUp && isDue ? remembered.get(heard.work().key(), nowMillis) : told;
        WorkNeeds needs = seen.isKnown() ? seen : told;
        return heard.isForOtherFilters(needs) && !lanes.isAccepted(needs);
    }

    /** Takes note of something heard. */
    void hear(HeardWork heard, long nowMillis) {
        KnownWork work = heard.work();
        if (isGone(heard)) {
            settle(heard);
            return;
        }
        WorkEntry entry = entries.computeIfAbsent(work.key(), WorkEntry::new);
        WorkNeeds needs = entry.tellsOf(work) ? entry.needs() : needs(work, nowMillis);
        boolean isDue = work.dueAt() <= nowMillis;
        if (entry.isReady()) {
            boolean moves = isDue && (entry.isOlder(heard) || !needs.equals(entry.needs()));
            if (moves) {
                lanes.remove(entry);
            }
            entry.waiting().add(heard);
            if (moves) {
                entry.setNeeds(needs);
                enqueue(entry, nowMillis);
            } else {
                lanes.heardChanged(entry);
            }
            if (heard.isAnnounced()) {
                help.schedule(entry, nowMillis);
            }
            return;
        }
        entry.waiting().add(heard);
        if (!entry.isTaken()) {
            if (needs.isKnown() || work.hasStart() || entry.state() == null) {
                entry.setNeeds(needs);
            }
            if (mayGoOn(entry, heard, isDue)) {
                place(entry, nowMillis);
            }
        }
    }

    private static boolean mayGoOn(WorkEntry entry, HeardWork heard, boolean isDue) {
        if (entry.isHeld()) {
            return false;
        }
        if (entry.state() instanceof WorkState.BackingOff rest) {
            // A replica that did not show one message may show the next.
            return isDue && rest.why() == WorkState.Reason.NOT_SEEN;
        }
        return !(entry.state() instanceof WorkState.AwaitsStart) || heard.work().hasStart();
    }

    /** Gives an entry that is neither ready nor tried its place: held, or by what waits in it. */
    void place(WorkEntry entry, long nowMillis) {
        if (entry.heldUntilMillis() > nowMillis) {
            entry.become(new WorkState.Held(entry.heldUntilMillis()));
            dueTimes.add(entry, entry.heldUntilMillis());
            return;
        }
        entry.waiting().removeIf(heard -> {
            boolean isGone = isGone(heard);
            if (isGone) {
                settle(heard);
            }
            return isGone;
        });
        long dueAt = entry.nextDue();
        if (dueAt <= nowMillis && search.isHealthy()) {
            dueAt = completions.waitsUntil(entry.key(), nowMillis);
        }
        if (entry.waiting().isEmpty()) {
            remove(entry);
        } else if (dueAt > nowMillis) {
            entry.become(new WorkState.Due(dueAt));
            dueTimes.add(entry, dueAt);
        } else {
            entry.setNeeds(needs(entry, nowMillis));
            entry.become(new WorkState.Ready(nowMillis));
            enqueue(entry, nowMillis);
            help.schedule(entry, nowMillis);
        }
    }

    private void enqueue(WorkEntry entry, long nowMillis) {
        entry.order(nowMillis);
        lanes.add(entry);
        Long fetch = lanes.wakeFor(entry.needs());
        if (fetch != null) {
            decisions.add(new WorkDecision.Wake(fetch));
        }
        if (entry.needs().isKnown() && entry.needs().equals(remembered.get(entry.key(), nowMillis))) {
            verdictEnds.add(entry, remembered.until(entry.key()));
        }
    }

    /** Puts an entry that was tried off until then. */
    void backOff(WorkEntry entry, WorkState state, long untilMillis) {
        entry.become(state);
        dueTimes.add(entry, untilMillis);
    }

    /** A turn of the instance has queued so many activities. */
    void expectCompletions(String key, int activities) {
        completions.expect(key, activities);
    }

    /** This process has completed one of them. */
    void completed(String key, long nowMillis) {
        WorkEntry entry = entries.get(key);
        if (completions.completed(key, nowMillis) && entry != null && entry.state() instanceof WorkState.Due) {
            place(entry, nowMillis);
        }
    }

    /** It waits for its start no more. */
    void start(String key, long nowMillis) {
        remembered.forget(key);
        WorkEntry entry = entries.get(key);
        if (entry != null && entry.state() instanceof WorkState.AwaitsStart) {
            place(entry, nowMillis);
        }
    }

    /** This process holds it until then. */
    void hold(String key, long untilMillis) {
        WorkEntry entry = entries.computeIfAbsent(key, WorkEntry::new);
        entry.setHeldUntil(untilMillis);
        if (entry.isTaken()) {
            // By the fetch that concludes it, or beside it.
            return;
        }
        if (entry.isReady()) {
            lanes.remove(entry);
        }
        entry.become(new WorkState.Held(untilMillis));
        dueTimes.add(entry, untilMillis);
    }

    /** Forgets what searches found, where it is ready. */
    void dropFound(long nowMillis) {
        for (WorkEntry entry : List.copyOf(entries.values())) {
            if (entry.isReady() && entry.waiting().stream().anyMatch(WorkEntries::isFound)) {
                keepIn(entry, heard -> !isFound(heard), nowMillis);
            }
        }
    }

    /** Forgets what this process wrote, where it is ready and no announcement of it has come yet. */
    void dropOwn(long nowMillis) {
        for (WorkEntry entry : List.copyOf(entries.values())) {
            if (entry.isReady() && entry.waiting().stream().noneMatch(HeardWork::isAnnounced)) {
                keepIn(entry, heard -> heard.source() != HeardWork.Source.OWN, nowMillis);
            }
        }
    }

    /** Of what waits in an entry that is ready this is kept. */
    void keepIn(WorkEntry entry, Predicate<HeardWork> kept, long nowMillis) {
        lanes.remove(entry);
        entry.waiting().removeIf(kept.negate());
        if (entry.nextDue() <= nowMillis) {
            entry.order(nowMillis);
            lanes.add(entry);
        } else {
            place(entry, nowMillis);
        }
    }

    private static boolean isFound(HeardWork heard) {
        return heard.source() == HeardWork.Source.FOUND;
    }

    /** Forgets an entry that is not in a lane. */
    void remove(WorkEntry entry) {
        entry.end();
        entries.remove(entry.key(), entry);
    }

    /** Does what has become due. */
    void advance(long nowMillis) {
        for (Optional<WorkEntry> due = dueTimes.takeDue(nowMillis);
                due.isPresent();
                due = dueTimes.takeDue(nowMillis)) {
            letLapse(due.get());
            place(due.get(), nowMillis);
        }
        for (Optional<WorkEntry> end = verdictEnds.takeDue(nowMillis);
                end.isPresent();
                end = verdictEnds.takeDue(nowMillis)) {
            forgetVerdict(end.get(), nowMillis);
        }
        help.advance(nowMillis);
    }

    /** A lock that was neither acked nor renewed in time is lost. */
    private static void letLapse(WorkEntry entry) {
        if (entry.isHeld()) {
            entry.setHeldUntil(0);
            entry.underWay().forEach(HeardWork::tryAgain);
            entry.putBack();
        }
    }

    /** One look finds out again what it needs, unless an announcement said so. */
    private void forgetVerdict(WorkEntry entry, long nowMillis) {
        boolean isTold =
                entry.waiting().stream().anyMatch(heard -> heard.work().needs().isKnown());
        if (entry.isReady() && !isTold) {
            lanes.remove(entry);
            entry.setNeeds(WorkNeeds.UNKNOWN);
            enqueue(entry, nowMillis);
        }
    }

    /** When something becomes due. */
    long next() {
        return Math.min(dueTimes.next(), Math.min(verdictEnds.next(), help.next()));
    }

    /** Gives the fetch the next entry that its filter takes, but for some. */
    Optional<WorkEntry> take(WorkFilter filter, long fetch, Preference preference, WorkMoment now) {
        long nowMillis = now.millis();
        while (true) {
            WorkEntry entry = next(filter, preference).orElse(null);
            if (entry == null) {
                return Optional.empty();
            }
            lanes.take(filter, entry);
            entry.waiting().removeIf(heard -> isOutdated(heard, now));
            if (entry.nextDue() <= nowMillis) {
                entry.take(fetch, nowMillis);
                return Optional.of(entry);
            }
            place(entry, nowMillis);
        }
    }

    /**
     * Which entry a fetch is given.
     *
     * @param isSkipped what it is not given
     * @param isReturnableFirst whether what other processes could have comes before all else
     */
    record Preference(Predicate<WorkEntry> isSkipped, boolean isReturnableFirst) {}

    private Optional<WorkEntry> next(WorkFilter filter, Preference preference) {
        Optional<WorkEntry> returnable = preference.isReturnableFirst()
                ? lanes.firstReturnable(filter, preference.isSkipped())
                : Optional.empty();
        return returnable.or(() -> lanes.first(filter, preference.isSkipped()));
    }

    private boolean isOutdated(HeardWork heard, WorkMoment now) {
        if (isGone(heard)) {
            settle(heard);
            return true;
        }
        boolean isFoundLongAgo = heard.source() == HeardWork.Source.FOUND
                && (heard.order() < search.lastExhaustive()
                        || heard.heardSteadyMillis() + FOUND_HOLDS_MILLIS < now.steadyMillis());
        return isFoundLongAgo || !heard.isCurrent();
    }

    /** Whether all that it tells of was consumed. */
    boolean isGone(HeardWork heard) {
        var documents = heard.work().documents();
        return !documents.isEmpty() && documents.stream().map(this::key).allMatch(consumed::contains);
    }

    /** It is handled. */
    void settle(HeardWork heard) {
        HeardWork.Answer answer = heard.answer();
        if (answer != null && answer.handleOne()) {
            decisions.add(new WorkDecision.Settle(answer.receipt()));
        }
    }

    /** Another process gets it. */
    void release(HeardWork.Answer answer) {
        if (answer.give()) {
            decisions.add(new WorkDecision.Release(answer.receipt()));
        }
    }

    /** Keys that a search need not show, up to this many of each kind. */
    List<String> hidden(int most, long nowMillis) {
        List<String> hidden = new ArrayList<>(consumed.shownIds(nowMillis));
        if (limits.queue() == WorkQueue.ACTIVITIES) {
            // The next message of an instance may suit where the last did not; an activity stays what it is.
            hidden.addAll(remembered.keysOf(needs -> !lanes.isAccepted(needs), most, nowMillis));
        }
        int others = hidden.size();
        for (WorkEntry entry : entries.values()) {
            if (hidden.size() - others >= most) {
                break;
            }
            // Others may have added to what is due later.
            if (!entry.isReady() && !(entry.state() instanceof WorkState.Due)) {
                hidden.add(entry.key());
            }
        }
        return hidden;
    }

    /**
     * What the fetch that took the entry tries.
     *
     * @param began the place of the fetch among all that happened: it has to see all that was there by then
     */
    WorkCandidate candidate(WorkEntry entry, long began, WorkMoment now) {
        Map<DocumentKey, AnnouncedDocument> documents = new LinkedHashMap<>();
        for (HeardWork heard : entry.underWay()) {
            heard.work().documents().forEach(document -> documents.put(key(document), document));
        }
        documents.keySet().removeIf(consumed::contains);
        String instanceId = entry.underWay().get(0).work().instanceId();
        return new WorkCandidate(
                entry.key(),
                instanceId,
                List.copyOf(documents.values()),
                knowledge(entry, began, now),
                entry.underWay().stream().allMatch(WorkEntries::isFound),
                entry.underWay().stream().anyMatch(HeardWork::isAnnounced),
                entry.needs());
    }

    private DocumentKey key(AnnouncedDocument document) {
        return DocumentKey.of(limits.queue(), document);
    }

    /** What was not seen before, or failed, is taken along by a look: nothing heard later may overtake it. */
    private WorkCandidate.Knowledge knowledge(WorkEntry entry, long began, WorkMoment now) {
        Set<String> announced = entry.underWay().stream()
                .filter(HeardWork::isAnnounced)
                .flatMap(heard -> heard.work().documents().stream())
                .map(AnnouncedDocument::id)
                .collect(Collectors.toSet());
        List<HeardWork> counting = entry.underWay().stream()
                .filter(heard -> !isCovered(heard, announced))
                .toList();
        boolean isToBeRead = counting.stream().anyMatch(heard -> heard.isToBeRead() || isBehind(heard, began))
                || entry.waiting().stream().anyMatch(heard -> heard.looks() > 0);
        if (isToBeRead) {
            return WorkCandidate.Knowledge.OUTDATED;
        }
        boolean isComplete = search.isComplete(now.steadyMillis())
                && counting.stream().allMatch(heard -> isAll(heard, began, now.millis()));
        return isComplete ? WorkCandidate.Knowledge.COMPLETE : WorkCandidate.Knowledge.PARTIAL;
    }

    /** Whether what this process wrote has been announced to it as well. */
    private static boolean isCovered(HeardWork heard, Set<String> announced) {
        List<AnnouncedDocument> documents = heard.work().documents();
        return heard.source() == HeardWork.Source.OWN
                && !documents.isEmpty()
                && documents.stream().allMatch(document -> announced.contains(document.id()));
    }

    /** What this process wrote before the fetch began may not be all that was there by then. */
    private boolean isBehind(HeardWork heard, long began) {
        return limits.queue() == WorkQueue.TURNS
                && !search.isHealthy()
                && heard.source() == HeardWork.Source.OWN
                && heard.order() < began;
    }

    private static boolean isAll(HeardWork heard, long began, long nowMillis) {
        return heard.source() == HeardWork.Source.FOUND
                ? heard.work().isComplete() && heard.order() >= began
                : heard.work().completeUntil() > nowMillis + LEAST_HORIZON_MILLIS;
    }
}
