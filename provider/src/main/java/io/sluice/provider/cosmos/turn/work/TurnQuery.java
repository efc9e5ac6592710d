package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.cosmos.search.OldestRows;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.search.RangeSearch;
import io.sluice.provider.cosmos.search.SlotScope;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.ReadyMessages;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.SqlQuery;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Asks all partitions for instances with messages to take. What is not to be found is named in the query while that is
 * little; where it is more than a query has room for, or where instances of versions that the dispatcher does not run
 * are in the way, the queue is {@link TurnScreening looked through} instead. Thread-safe.
 */
final class TurnQuery {
    private final RangeSearch ranges;
    private final QueueRows queue;
    private final InstantSource clock;
    private final Predicate<String> waiting;
    private final TurnScreening screening;

    /**
     * The query over all instances.
     *
     * @param waiting instances of which nothing but a start is worth finding
     */
    TurnQuery(
            RangeSearch ranges,
            QueueRows queue,
            InstantSource clock,
            Predicate<String> waiting,
            TurnScreening screening) {
        this.ranges = ranges;
        this.queue = queue;
        this.clock = clock;
        this.waiting = waiting;
        this.screening = screening;
    }

    /**
     * Instances with messages to take.
     *
     * @param limit most rows to read
     * @param hidden instances to leave out
     */
    TurnFound.Page find(Call call, int limit, Collection<String> hidden, SlotScope slots) {
        // Screening remembers instances and asks for each once, whatever its slot.
        if (screening.isNeeded() || !QueryBytes.fit(hidden)) {
            return screening.find(call, limit, hidden);
        }
        Set<String> awaited = hidden.stream().filter(waiting).collect(Collectors.toSet());
        List<String> others =
                hidden.stream().filter(id -> !awaited.contains(id)).toList();
        OldestRows.OfAll answers = OldestRows.read(
                ranges,
                call,
                limit,
                queue,
                (most, condition) -> slots.bind(sql(most, others, awaited, condition + slots.condition(""))
                        .with("@now", clock.millis())));
        List<TurnFound> found = new ArrayList<>();
        long inOrderUntil = Long.MAX_VALUE;
        boolean exhaustive = answers.isWhole();
        for (OldestRows.OfQueue answer : answers.parts()) {
            found.addAll(found(answer, answer.isCut() || slots.isPartial(), awaited));
            if (answer.isCut()) {
                exhaustive = false;
                inOrderUntil = Math.min(inOrderUntil, answer.shownUntil());
            }
        }
        return new TurnFound.Page(TurnFound.inOrder(found, inOrderUntil), exhaustive, !answers.isWhole());
    }

    private static List<TurnFound> found(OldestRows.OfQueue answer, boolean mayLackMessages, Set<String> awaited) {
        List<TurnFound> found = new ArrayList<>();
        TurnRow.byInstance(TurnRow.of(answer.rows())).forEach((id, rows) -> {
            // Of one that was awaited the start alone is shown.
            boolean isAwaited = awaited.contains(id);
            found.add(new TurnFound(rows, !mayLackMessages && !isAwaited, isAwaited));
        });
        return found;
    }

    private static SqlQuery sql(int limit, Collection<String> hidden, Collection<String> waiting, String condition) {
        String shown = condition + " AND NOT ARRAY_CONTAINS(@hidden, c.instanceId)";
        if (!waiting.isEmpty()) {
            shown += " AND (NOT ARRAY_CONTAINS(@waiting, c.instanceId) OR " + Messages.IS_START + ")";
        }
        SqlQuery query = ReadyMessages.query(limit, shown).with("@hidden", new ArrayList<>(hidden));
        return waiting.isEmpty() ? query : query.with("@waiting", new ArrayList<>(waiting));
    }
}
