package io.sluice.provider.cosmos.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.cosmos.candidate.Found;
import io.sluice.provider.cosmos.candidate.OldestRows;
import io.sluice.provider.cosmos.candidate.QueryBytes;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.SqlQuery;
import io.sluice.provider.history.SemanticVersion;
import java.time.Duration;
import java.time.InstantSource;
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
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a queue in which much does not suit: page by page, the heads of many instances by one query, and from where it stopped the time before. What was
 * looked at costs nothing until it changes, but for one look at everything every five minutes. Thread-safe: two looks at once both leave a state that
 * holds.
 */
final class TurnScreening {
    private static final long WHOLE_LOOK_NANOS = Duration.ofMinutes(5).toNanos();
    /** Replicas lag, and clocks differ. */
    private static final long MARGIN_SECONDS = 15;

    /** So few are looked at one by one, as part of the try to lock them. */
    private static final int FEW = 4;

    private static final int FIRST_LONG_PAGE = 1_000;
    private static final int LONGEST_PAGE = 16_000;
    /** Of one look, some 30 000 messages of each range: what is behind is for the next, which goes on from there. */
    private static final int MOST_PAGES = 6;

    private static final String HEADS =
            "SELECT c.instanceId, c.pinnedDuroxideVersionPacked, c._etag FROM c WHERE c.type = 'instance'";

    private final ContainerRequests requests;
    private final QueueRows queue;
    private final Times times;
    private final Predicate<String> waiting;
    private final @Nullable DispatcherCapabilityFilter filter;
    private final Verdicts verdicts;
    private final ConcurrentMap<String, Horizon> horizons = new ConcurrentHashMap<>();

    /**
     * The clocks.
     *
     * @param clock that locks and visibility go by
     * @param service the service's own time
     * @param nanoTime the monotonic clock
     */
    record Times(InstantSource clock, InstantSource service, LongSupplier nanoTime) {}

    TurnScreening(
            ContainerRequests requests,
            QueueRows queue,
            Times times,
            Predicate<String> waiting,
            @Nullable DispatcherCapabilityFilter filter) {
        this.requests = requests;
        this.queue = queue;
        this.times = times;
        this.waiting = waiting;
        this.filter = filter;
        this.verdicts = new Verdicts(times.clock());
    }

    /**
     * An instance that was found does not suit.
     *
     * @param startId the newest of its messages that begin an execution; null for none
     * @return whether it is the first
     */
    boolean unsuitable(String instanceId, String etag, @Nullable String startId) {
        boolean isFirst = verdicts.isEmpty();
        verdicts.note(instanceId, etag, Objects.requireNonNullElse(startId, ""));
        return isFirst;
    }

    boolean isNeeded() {
        return !verdicts.isEmpty();
    }

    /** Nothing but candidates: a look that found none counts as whole, be it that it was broken off, for the next goes on behind it. */
    Found<TurnCandidate> find(Call call, int limit, Collection<String> hidden, long sentAtNanos) {
        List<String> ranges = requests.ranges(call);
        Map<String, Page> open = new LinkedHashMap<>();
        ranges.forEach(range -> open.put(range, new Page(OldestRows.perRange(limit, ranges.size()), 0)));
        Look look = new Look(call, Set.copyOf(hidden), sentAtNanos, new LinkedHashMap<>());
        List<TurnCandidate> found = List.of();
        for (int page = 0; page < MOST_PAGES && !open.isEmpty() && found.isEmpty(); page++) {
            look(look, open);
            // What a range that has more would show next may be older.
            long until = open.values().stream().mapToLong(Page::last).min().orElse(Long.MAX_VALUE);
            found = TurnQuery.inOrder(look.candidates().values(), until);
        }
        if (found.isEmpty()) {
            found = TurnQuery.inOrder(look.candidates().values(), Long.MAX_VALUE);
        }
        return new Found<>(found, found.isEmpty());
    }

    /** What one call looks for, and what it has found, by instance. */
    private record Look(Call call, Set<String> hidden, long sentAtNanos, Map<String, TurnCandidate> candidates) {
        boolean isHidden(String instanceId) {
            return hidden.contains(instanceId) || candidates.containsKey(instanceId);
        }
    }

    /** The next page of a range: its length, and up to which time those before reached. */
    private record Page(int length, long last) {
        Page next(long reached) {
            boolean isStuck = reached == last;
            return new Page(
                    isStuck ? 2 * length : Math.max(FIRST_LONG_PAGE, Math.min(LONGEST_PAGE, 2 * length)), reached);
        }
    }

    /** One page of each range that is open; closes those that have no more. */
    private void look(Look look, Map<String, Page> open) {
        long now = times.clock().millis();
        long service = times.service().millis() / 1_000 - MARGIN_SECONDS;
        Map<String, Horizon> from = new LinkedHashMap<>();
        Map<String, List<String>> asked = new HashMap<>();
        open.keySet().forEach(range -> {
            Horizon horizon = horizon(range);
            from.put(range, horizon);
            asked.put(range, horizon.asked(look::isHidden));
        });
        Map<String, QueueRows.Part> found = queue.search(condition -> {
            Map<String, SqlQuery> queries = new LinkedHashMap<>();
            from.forEach((range, horizon) -> {
                int length = Objects.requireNonNull(open.get(range)).length();
                SqlQuery query =
                        TurnRow.query(length, condition + Horizon.SHOWN).with("@now", now);
                queries.put(range, horizon.in(query, asked.getOrDefault(range, List.of())));
            });
            return requests.queryRanges(look.call(), queries);
        });
        Map<String, List<TurnRow>> pages = new LinkedHashMap<>();
        found.forEach((range, part) -> pages.put(range, TurnRow.of(part.rows())));
        judge(look, pages);
        pages.forEach((range, rows) -> {
            Page page = Objects.requireNonNull(open.get(range));
            int passedOver = Objects.requireNonNull(found.get(range)).found() - rows.size();
            boolean isCut = passedOver + rows.size() >= page.length();
            long last = isCut ? last(rows, page, page.length() - passedOver) : Long.MAX_VALUE;
            Set<String> worthShowing = pick(look, rows);
            Horizon moved = Objects.requireNonNull(from.get(range))
                    .moved(now, service, last, asked.getOrDefault(range, List.of()), worthShowing);
            horizons.put(range, moved);
            if (isCut) {
                open.put(range, page.next(last));
            } else {
                open.remove(range);
            }
        });
    }

    private static long last(List<TurnRow> rows, Page page, int most) {
        return OldestRows.shownUntil(
                        rows.stream().mapToLong(row -> row.message().enqueuedAt()), Math.max(0, most))
                .orElse(page.last());
    }

    private Horizon horizon(String range) {
        long now = times.nanoTime().getAsLong();
        Horizon horizon = horizons.get(range);
        return horizon == null || now - horizon.beganNanos() > WHOLE_LOOK_NANOS ? Horizon.none(now) : horizon;
    }

    /** Adds the candidates of a page, and says which instances are to be shown again: candidates, and what is hidden for a while. */
    private Set<String> pick(Look look, List<TurnRow> rows) {
        Set<String> worthShowing = new LinkedHashSet<>();
        TurnRow.byInstance(rows).forEach((id, all) -> {
            boolean isAwaited = look.hidden().contains(id) && waiting.test(id);
            List<TurnRow> shown =
                    isAwaited ? all.stream().filter(TurnRow::isStart).toList() : all;
            if (look.isHidden(id) || !verdicts.holds(id, newestStart(all))) {
                worthShowing.add(id);
                if (!shown.isEmpty() && (isAwaited || !look.isHidden(id))) {
                    look.candidates().putIfAbsent(id, TurnRow.candidate(shown, false, isAwaited, look.sentAtNanos()));
                }
            }
        });
        return worthShowing;
    }

    /** Asks for the heads of those of whom nothing is known, or not lately, where they are many. */
    private void judge(Look look, Map<String, List<TurnRow>> pages) {
        Map<String, String> starts = new HashMap<>();
        Map<String, List<List<String>>> portions = new LinkedHashMap<>();
        pages.forEach((range, rows) -> {
            List<String> unknown = new ArrayList<>();
            TurnRow.byInstance(rows).forEach((id, all) -> {
                String start = newestStart(all);
                if (!look.isHidden(id) && !verdicts.holds(id, start)) {
                    unknown.add(id);
                    starts.put(id, Objects.requireNonNullElse(start, ""));
                }
            });
            portions.put(range, filter == null || unknown.size() <= FEW ? List.of() : QueryBytes.portions(unknown));
        });
        int most = portions.values().stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < most; i++) {
            Map<String, SqlQuery> queries = new LinkedHashMap<>();
            int portion = i;
            portions.forEach((range, all) -> {
                if (portion < all.size()) {
                    queries.put(range, SqlQuery.of(HEADS).andOneOf("c.instanceId", all.get(portion)));
                }
            });
            requests.queryRanges(look.call(), queries)
                    .values()
                    .forEach(heads -> heads.forEach(head -> note(head, starts)));
        }
    }

    private void note(ObjectNode head, Map<String, String> starts) {
        String id = DocumentJson.text(head, "instanceId");
        JsonNode packed = head.path("pinnedDuroxideVersionPacked");
        boolean suits = filter == null
                || filter.accepts(packed.isNumber() ? SemanticVersion.fromPacked(packed.longValue()) : null);
        if (suits) {
            verdicts.forget(id);
        } else {
            verdicts.note(id, DocumentJson.etag(head), starts.getOrDefault(id, ""));
        }
    }

    private static @Nullable String newestStart(List<TurnRow> rows) {
        return Messages.newestStart(rows.stream().map(TurnRow::message).toList());
    }
}
