package io.sluice.provider.cosmos.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.candidate.CandidateQuery;
import io.sluice.provider.cosmos.candidate.Found;
import io.sluice.provider.cosmos.candidate.OldestRows;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Asks all partitions for instances with messages to take. Of a message it gets what decides: ids, times, and the beginning of the work item, which tells its
 * kind. Thread-safe.
 */
final class TurnQuery implements CandidateQuery<TurnCandidate> {
    /** A message more or less: the length of the longest of {@link Messages#STARTS}. */
    private static final int KIND_CHARACTERS = 21;

    private static final String LENGTH = "workItemLength";
    private static final String ROW = " c.id, c.instanceId, LEFT(c.workItem, " + KIND_CHARACTERS + ") AS workItem,"
            + " LENGTH(c.workItem) AS " + LENGTH + ", c.visibleAt, c.enqueuedAt, c.attemptCount";

    /** What a batch returns should stay far below what a request may have, in characters of up to four bytes. */
    private static final long MOST_CHARACTERS = 256 * 1024;

    private final ContainerRequests requests;
    private final InstantSource clock;
    private final Predicate<String> waiting;

    /**
     * The query over all instances.
     *
     * @param waiting instances of which nothing but a start is worth finding
     */
    TurnQuery(ContainerRequests requests, InstantSource clock, Predicate<String> waiting) {
        this.requests = requests;
        this.clock = clock;
        this.waiting = waiting;
    }

    @Override
    public Found<TurnCandidate> find(Call call, int limit, Collection<String> hidden, long sentAtNanos) {
        Set<String> awaited = hidden.stream().filter(waiting).collect(Collectors.toSet());
        List<String> others =
                hidden.stream().filter(id -> !awaited.contains(id)).toList();
        List<OldestRows.OfRange> answers = OldestRows.read(
                requests, call, limit, most -> sql(most, others, awaited).with("@now", clock.millis()));
        List<TurnCandidate> candidates = new ArrayList<>();
        long inOrderUntil = Long.MAX_VALUE;
        boolean exhaustive = true;
        for (OldestRows.OfRange answer : answers) {
            List<TurnCandidate> ofRange = candidates(answer, awaited, sentAtNanos);
            candidates.addAll(ofRange);
            if (answer.isCut()) {
                exhaustive = false;
                inOrderUntil = Math.min(inOrderUntil, newest(ofRange));
            }
        }
        long until = inOrderUntil;
        return new Found<>(
                candidates.stream()
                        .filter(candidate -> oldest(candidate).enqueuedAt() <= until)
                        .sorted(Comparator.comparing(TurnQuery::oldest, QueueDocument.FIFO))
                        .toList(),
                exhaustive);
    }

    private static QueueDocument oldest(TurnCandidate candidate) {
        return candidate.messages().get(0);
    }

    private static long newest(List<TurnCandidate> candidates) {
        return candidates.stream()
                .flatMap(candidate -> candidate.messages().stream())
                .mapToLong(QueueDocument::enqueuedAt)
                .max()
                .orElse(Long.MAX_VALUE);
    }

    private static List<TurnCandidate> candidates(OldestRows.OfRange answer, Set<String> awaited, long sentAtNanos) {
        Map<String, List<QueueDocument>> messages = new LinkedHashMap<>();
        Map<String, Long> characters = new LinkedHashMap<>();
        for (ObjectNode row : answer.rows()) {
            QueueDocument message = QueueDocument.fromJson(row);
            messages.computeIfAbsent(message.instanceId(), id -> new ArrayList<>())
                    .add(message);
            characters.merge(message.instanceId(), row.path(LENGTH).asLong(), Long::sum);
        }
        List<TurnCandidate> candidates = new ArrayList<>();
        messages.forEach((id, all) -> {
            boolean isSmall =
                    characters.getOrDefault(id, 0L) <= MOST_CHARACTERS && all.size() <= TurnLocker.MOST_RETURNED;
            // Of one that was awaited the start alone is shown.
            boolean isAwaited = awaited.contains(id);
            candidates.add(new TurnCandidate(
                    id,
                    all.stream().sorted(QueueDocument.FIFO).toList(),
                    isSmall ? TurnCandidate.Content.CUT : TurnCandidate.Content.CUT_AND_LARGE,
                    !answer.isCut() && !isAwaited,
                    isAwaited,
                    sentAtNanos));
        });
        return candidates;
    }

    private static SqlQuery sql(int limit, Collection<String> hidden, Collection<String> waiting) {
        String shown = " AND NOT ARRAY_CONTAINS(@hidden, c.instanceId)";
        if (!waiting.isEmpty()) {
            shown += " AND (NOT ARRAY_CONTAINS(@waiting, c.instanceId)";
            for (String start : Messages.STARTS) {
                shown += " OR STARTSWITH(c.workItem, '" + start + "')";
            }
            shown += ")";
        }
        SqlQuery query = SqlQuery.of(
                        "SELECT TOP " + limit + ROW + TurnCandidate.READY + shown + " ORDER BY c.enqueuedAt")
                .with("@hidden", new ArrayList<>(hidden));
        return waiting.isEmpty() ? query : query.with("@waiting", new ArrayList<>(waiting));
    }
}
