package io.sluice.provider.cosmos.turn;

import io.sluice.provider.cosmos.candidate.CandidateQuery;
import io.sluice.provider.cosmos.candidate.Found;
import io.sluice.provider.cosmos.candidate.OldestRows;
import io.sluice.provider.cosmos.candidate.QueryBytes;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.candidate.SlotScope;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Asks all partitions for instances with messages to take. What is not to be found is named in the query while that is
 * little; where it is more than a query has room for, or where instances of versions that the dispatcher does not run
 * are in the way, the queue is {@link TurnScreening looked through} instead. Thread-safe.
 */
final class TurnQuery implements CandidateQuery<TurnCandidate> {
    private final ContainerRequests requests;
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
            ContainerRequests requests,
            QueueRows queue,
            InstantSource clock,
            Predicate<String> waiting,
            TurnScreening screening) {
        this.requests = requests;
        this.queue = queue;
        this.clock = clock;
        this.waiting = waiting;
        this.screening = screening;
    }

    @Override
    public Found<TurnCandidate> find(
            Call call, int limit, Collection<String> hidden, SlotScope slots, long sentAtNanos) {
        // Screening remembers instances and asks for each once, whatever its slot.
        if (screening.isNeeded() || !QueryBytes.fit(hidden)) {
            return screening.find(call, limit, hidden, sentAtNanos);
        }
        Set<String> awaited = hidden.stream().filter(waiting).collect(Collectors.toSet());
        List<String> others =
                hidden.stream().filter(id -> !awaited.contains(id)).toList();
        List<OldestRows.OfQueue> answers = OldestRows.read(
                requests,
                call,
                limit,
                queue,
                (most, condition) -> slots.bind(sql(most, others, awaited, condition + slots.condition(""))
                        .with("@now", clock.millis())));
        List<TurnCandidate> candidates = new ArrayList<>();
        long inOrderUntil = Long.MAX_VALUE;
        boolean exhaustive = true;
        for (OldestRows.OfQueue answer : answers) {
            List<TurnCandidate> ofRange = candidates(answer, answer.isCut() || slots.isPartial(), awaited, sentAtNanos);
            candidates.addAll(ofRange);
            if (answer.isCut()) {
                exhaustive = false;
                inOrderUntil = Math.min(inOrderUntil, answer.shownUntil());
            }
        }
        return new Found<>(inOrder(candidates, inOrderUntil), exhaustive);
    }

    /** The candidates of several ranges together, but for those that others may come before. */
    static List<TurnCandidate> inOrder(Collection<TurnCandidate> candidates, long until) {
        return candidates.stream()
                .filter(candidate -> oldest(candidate).enqueuedAt() <= until)
                .sorted(Comparator.comparing(TurnQuery::oldest, QueueDocument.FIFO))
                .toList();
    }

    private static QueueDocument oldest(TurnCandidate candidate) {
        return candidate.messages().get(0);
    }

    private static List<TurnCandidate> candidates(
            OldestRows.OfQueue answer, boolean mayLackMessages, Set<String> awaited, long sentAtNanos) {
        List<TurnCandidate> candidates = new ArrayList<>();
        TurnRow.byInstance(TurnRow.of(answer.rows())).forEach((id, rows) -> {
            // Of one that was awaited the start alone is shown.
            boolean isAwaited = awaited.contains(id);
            candidates.add(TurnRow.candidate(rows, !mayLackMessages && !isAwaited, isAwaited, sentAtNanos));
        });
        return candidates;
    }

    private static SqlQuery sql(int limit, Collection<String> hidden, Collection<String> waiting, String condition) {
        String shown = condition + " AND NOT ARRAY_CONTAINS(@hidden, c.instanceId)";
        if (!waiting.isEmpty()) {
            shown += " AND (NOT ARRAY_CONTAINS(@waiting, c.instanceId)";
            for (String start : Messages.STARTS) {
                shown += " OR STARTSWITH(c.workItem, '" + start + "')";
            }
            shown += ")";
        }
        SqlQuery query = TurnRow.query(limit, shown).with("@hidden", new ArrayList<>(hidden));
        return waiting.isEmpty() ? query : query.with("@waiting", new ArrayList<>(waiting));
    }
}
