package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.cosmos.search.OldestRows;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.search.RangeSearch;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a queue in which much does not suit: page by page, the heads of many instances by one query, and from
 * where it stopped the time before. What was looked at costs nothing until it changes, but for one look at everything
 * every five minutes. Thread-safe: two looks at once both leave a state that holds.
 */
final class TurnScreening {
    private static final long WHOLE_LOOK_NANOS = Duration.ofMinutes(5).toNanos();
    /** So few are looked at one by one, as part of the try to lock them. */
    private static final int FEW = 4;

    /** Of one look, some 30 000 messages of each range; the next look continues there. */
    static final int MOST_PAGES = 6;

    private final RangeSearch ranges;
    private final QueueRows queue;
    private final Clocks clocks;
    private final Predicate<String> waiting;
    private final Verdicts verdicts;
    private final TurnJudge judge;
    private final ConcurrentMap<String, Horizon> horizons = new ConcurrentHashMap<>();

    TurnScreening(
            RangeSearch ranges,
            QueueRows queue,
            Clocks clocks,
            Predicate<String> waiting,
            Predicate<WorkNeeds> accepted) {
        this.ranges = ranges;
        this.queue = queue;
        this.clocks = clocks;
        this.waiting = waiting;
        this.verdicts = new Verdicts(clocks.clock());
        this.judge = new TurnJudge(ranges.requests(), accepted, verdicts);
    }

    /**
     * Notes that an instance that was found does not suit.
     *
     * @param startId the newest of its messages that begin an execution; null for none
     * @return whether it is the first
     */
    boolean markUnsuitable(String instanceId, String etag, @Nullable String startId) {
        boolean isFirst = verdicts.isEmpty();
        verdicts.note(instanceId, etag, Objects.requireNonNullElse(startId, ""));
        return isFirst;
    }

    /** The instance was taken, so that it suits, whatever was noted of it before. */
    void markSuitable(String instanceId) {
        verdicts.forget(instanceId);
    }

    /** What the dispatchers take has changed: all is to be looked at once. */
    void restart() {
        verdicts.clear();
        horizons.clear();
    }

    boolean isNeeded() {
        return !verdicts.isEmpty();
    }

    /**
     * Nothing but candidates: a look that found none counts as whole, be it that it was broken off, for the next goes
     * on behind it.
     */
    TurnFound.Page find(Call call, int limit, Collection<String> hidden) {
        Look look = new Look(call, Set.copyOf(hidden), new LinkedHashMap<>(), new AtomicBoolean());
        Map<String, RangeLook> open = begin(look, limit);
        List<TurnFound> found = List.of();
        for (int page = 0; page < MOST_PAGES && !open.isEmpty() && found.isEmpty(); page++) {
            readPages(look, open);
            // What a range that has more would show next may be older.
            long until = open.values().stream()
                    .mapToLong(RangeLook::shownUntil)
                    .min()
                    .orElse(Long.MAX_VALUE);
            found = TurnFound.inOrder(look.found().values(), until);
        }
        if (found.isEmpty()) {
            found = TurnFound.inOrder(look.found().values(), Long.MAX_VALUE);
        }
        boolean isPartial = look.isPartial().get();
        return new TurnFound.Page(found, found.isEmpty() && !isPartial, isPartial);
    }

    /** What one call looks for, and what it has found, by instance. */
    private record Look(Call call, Set<String> hidden, Map<String, TurnFound> found, AtomicBoolean isPartial) {
        boolean isHidden(String instanceId) {
            return hidden.contains(instanceId) || found.containsKey(instanceId);
        }
    }

    private Map<String, RangeLook> begin(Look look, int limit) {
        Horizon.Moment now = clocks.now();
        List<String> all = ranges.ranges(look.call());
        Map<String, RangeLook> begun = new LinkedHashMap<>();
        all.forEach(range -> {
            Horizon horizon = horizon(range, now.nanos());
            List<String> asked = horizon.asked(look::isHidden);
            begun.put(range, new RangeLook(horizon, now, asked, OldestRows.perRange(limit, all.size())));
        });
        return begun;
    }

    /** Reads one page of each range that is open; closes the ranges that have no more. */
    private void readPages(Look look, Map<String, RangeLook> open) {
        Map<String, QueueRows.Part> found = queue.search(condition -> {
            Map<String, SqlQuery> queries = new LinkedHashMap<>();
            open.forEach((range, ofRange) -> queries.put(range, ofRange.nextPage(condition)));
            return ranges.ask(look.call(), queries);
        });
        // What does not answer now is looked at another time.
        if (open.keySet().retainAll(found.keySet())) {
            look.isPartial().set(true);
        }
        Map<String, List<TurnRow>> pages = new LinkedHashMap<>();
        found.forEach((range, part) -> pages.put(range, TurnRow.of(part.rows())));
        judge(look, pages);
        pages.forEach((range, rows) -> {
            RangeLook ofRange = Objects.requireNonNull(open.get(range));
            ofRange.answered(rows, Objects.requireNonNull(found.get(range)).found(), pick(look, rows));
            horizons.put(range, ofRange.reached());
            if (ofRange.isDone()) {
                open.remove(range);
            }
        });
    }

    private Horizon horizon(String range, long nowNanos) {
        Horizon horizon = horizons.get(range);
        return horizon == null || nowNanos - horizon.beganNanos() > WHOLE_LOOK_NANOS ? Horizon.none(nowNanos) : horizon;
    }

    /**
     * Adds the candidates of a page, and says which instances are to be shown again: candidates, and what is hidden for
     * a while.
     */
    private Set<String> pick(Look look, List<TurnRow> rows) {
        Set<String> worthShowing = new LinkedHashSet<>();
        TurnRow.byInstance(rows).forEach((id, all) -> {
            boolean isAwaited = look.hidden().contains(id) && waiting.test(id);
            List<TurnRow> shown =
                    isAwaited ? all.stream().filter(TurnRow::isStart).toList() : all;
            if (look.isHidden(id) || !verdicts.holds(id, newestStart(all))) {
                worthShowing.add(id);
                if (!shown.isEmpty() && (isAwaited || !look.isHidden(id))) {
                    look.found().putIfAbsent(id, new TurnFound(shown, false, isAwaited));
                }
            }
        });
        return worthShowing;
    }

    /** Asks for the heads of the instances of which nothing is known, or not lately, where they are many. */
    private void judge(Look look, Map<String, List<TurnRow>> pages) {
        Map<String, String> starts = new HashMap<>();
        Map<String, List<String>> unknown = new LinkedHashMap<>();
        pages.forEach((range, rows) -> TurnRow.byInstance(rows).forEach((id, all) -> {
            String start = newestStart(all);
            if (!look.isHidden(id) && !verdicts.holds(id, start)) {
                unknown.computeIfAbsent(range, key -> new ArrayList<>()).add(id);
                starts.put(id, Objects.requireNonNullElse(start, ""));
            }
        }));
        if (isNeeded() && starts.size() > FEW) {
            judge.judge(look.call(), unknown, starts);
        }
    }

    private static @Nullable String newestStart(List<TurnRow> rows) {
        return Messages.newestStart(rows.stream().map(TurnRow::message).toList());
    }
}
