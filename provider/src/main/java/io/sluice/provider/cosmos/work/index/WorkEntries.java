package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The entries of an index, by key, and their steps from state to state. */
final class WorkEntries {

    private final WorkLimits limits;
    private final List<WorkDecision> decisions;
    private final SearchPlan search;
    private final Map<String, WorkEntry> entries = new HashMap<>();
    private final ReadyLanes lanes = new ReadyLanes();
    private final EntryTimers dueTimes = new EntryTimers();
    private final RecentlyConsumed consumed = new RecentlyConsumed();
    private final KnownNeeds needs;
    private final HelpRequests help;
    private final ExpectedCompletions completions;

    WorkEntries(WorkLimits limits, SearchPlan search, List<WorkDecision> decisions) {
        this.limits = limits;
        this.search = search;
        this.decisions = decisions;
        this.needs = new KnownNeeds(limits, this);
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

    KnownNeeds needs() {
        return needs;
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

    /** Takes note of something heard. */
    void hear(HeardWork heard, long nowMillis) {
        KnownWork work = heard.work();
        if (isGone(heard)) {
            settle(heard);
            return;
        }
        WorkEntry entry = entries.computeIfAbsent(work.key(), WorkEntry::new);
        WorkNeeds known = entry.tellsOf(work) ? entry.needs() : needs.of(work, nowMillis);
        boolean isDue = work.dueAt() <= nowMillis;
        if (entry.isReady()) {
            boolean moves = isDue && (entry.isOlder(heard) || !known.equals(entry.needs()));
            if (moves) {
                lanes.remove(entry);
            }
            entry.waiting().add(heard);
            if (moves) {
                entry.setNeeds(known);
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
            if (known.isKnown() || work.hasStart() || entry.state() == null) {
                entry.setNeeds(known);
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
            entry.setNeeds(needs.of(entry, nowMillis));
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
        needs.ready(entry, nowMillis);
    }

    /** An entry that is ready has other needs. */
    void move(WorkEntry entry, WorkNeeds others, long nowMillis) {
        lanes.remove(entry);
        entry.setNeeds(others);
        enqueue(entry, nowMillis);
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
        needs.seen().forget(key);
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
            if (entry.isReady() && entry.waiting().stream().anyMatch(HeardWork::isFound)) {
                keepIn(entry, heard -> !heard.isFound(), nowMillis);
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
        needs.advance(nowMillis);
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

    /** When something becomes due. */
    long next() {
        return Math.min(dueTimes.next(), Math.min(needs.next(), help.next()));
    }

    /** Whether all that it tells of was consumed. */
    boolean isGone(HeardWork heard) {
        var documents = heard.work().documents();
        return !documents.isEmpty()
                && documents.stream()
                        .map(document -> DocumentKey.of(limits.queue(), document))
                        .allMatch(consumed::contains);
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
            hidden.addAll(needs.seen().keysOf(found -> !lanes.isAccepted(found), most, nowMillis));
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
}
