package io.sluice.provider.cosmos.admin;

import io.sluice.provider.InstanceFilter;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses instances for bulk operations, the oldest first. What it reads is in proportion to what it chooses, and to
 * what is older and does not match; not to what the store holds.
 */
final class Selection {
    private static final int SMALLEST_PAGE = 8;
    private static final int LARGEST_PAGE = 500;
    /** How far a runtime's clock, which says when executions end, may be behind the one that says when they began. */
    private static final Duration CLOCKS_BEHIND = Duration.ofMinutes(10);

    private final Heads heads;
    private final Executions executions;

    Selection(Heads heads, Executions executions) {
        this.heads = heads;
        this.executions = executions;
    }

    /** What kind of instances a bulk operation is for, as a condition in the store and here. */
    record Kind(String inStore, Predicate<InstanceDocument> test) {
        static final Kind ANY = new Kind("", head -> true);
        static final Kind FINISHED_ROOT = new Kind(
                " AND c.status != 'Running' AND (NOT IS_DEFINED(c.parentInstanceId) OR IS_NULL(c.parentInstanceId))",
                head -> head.parentInstanceId() == null && !isRunning(head));
    }

    /** Instances of this kind that match the filter, as many as its limit allows. */
    List<InstanceDocument> select(Call call, InstanceFilter filter, Kind kind) {
        List<InstanceDocument> chosen = new ArrayList<>();
        List<String> ids = filter.instanceIds();
        if (ids == null) {
            selectByAge(call, filter, kind, chosen);
        } else {
            choose(call, heads.among(call, ids), filter, kind, chosen);
        }
        return chosen;
    }

    /** Page by page; each begins at the moment up to which the one before reached, when more may have been created. */
    private void selectByAge(Call call, InstanceFilter filter, Kind kind, List<InstanceDocument> chosen) {
        Set<String> seen = new HashSet<>();
        int size = Math.max(SMALLEST_PAGE, Math.min(LARGEST_PAGE, filter.effectiveLimit()));
        long from = 0;
        while (chosen.size() < filter.effectiveLimit()) {
            Call patient = call.again();
            long begin = from;
            Heads.Page page = heads.oldest(patient, size, most -> page(filter, kind, begin, most));
            List<InstanceDocument> candidates = page.oldest().stream()
                    .filter(head -> seen.add(head.instanceId()))
                    .toList();
            choose(patient, candidates, filter, kind, chosen);
            if (page.all()) {
                return;
            }
            // A whole page of one moment is led beyond by a larger one only.
            size = page.upTo() == from ? size * 2 : Math.max(size, Math.min(size * 2, LARGEST_PAGE));
            from = page.upTo();
        }
    }

    private static SqlQuery page(InstanceFilter filter, Kind kind, long from, int most) {
        String columns = InstanceDocument.ALL_WITHOUT_TEXTS.replaceFirst("SELECT ", "SELECT TOP " + most + " ");
        String condition = columns + " AND c.createdAt >= @from" + kind.inStore();
        @Nullable Long completedBefore = filter.completedBeforeMillis();
        if (completedBefore == null) {
            return SqlQuery.of(condition + " ORDER BY c.createdAt").with("@from", from);
        }
        return SqlQuery.of(condition + " AND c.createdAt < @until AND c.status != 'Running' ORDER BY c.createdAt")
                .with("@from", from)
                .with("@until", Math.max(completedBefore, completedBefore + CLOCKS_BEHIND.toMillis()));
    }

    private void choose(
            Call call,
            List<InstanceDocument> candidates,
            InstanceFilter filter,
            Kind kind,
            List<InstanceDocument> chosen) {
        List<InstanceDocument> left = candidates.stream()
                .filter(kind.test())
                .sorted(Comparator.comparingLong(InstanceDocument::createdAt)
                        .thenComparing(InstanceDocument::instanceId, Comparator.reverseOrder()))
                .toList();
        @Nullable Long limit = filter.completedBeforeMillis();
        List<InstanceDocument> matching = limit == null ? left : completedBefore(call, left, limit);
        matching.stream().limit(filter.effectiveLimit() - chosen.size()).forEach(chosen::add);
    }

    private List<InstanceDocument> completedBefore(Call call, List<InstanceDocument> candidates, long limit) {
        // Its last change is no earlier than its end; only what was touched later needs its history read.
        List<InstanceDocument> touchedLater = candidates.stream()
                .filter(head -> !isRunning(head) && head.updatedAt() >= limit)
                .toList();
        Map<String, Long> ends = executions.endedAt(call, touchedLater);
        return candidates.stream()
                .filter(head -> !isRunning(head) && ends.getOrDefault(head.instanceId(), head.updatedAt()) < limit)
                .toList();
    }

    private static boolean isRunning(InstanceDocument head) {
        return head.status().equals(InstanceDocument.RUNNING);
    }
}
