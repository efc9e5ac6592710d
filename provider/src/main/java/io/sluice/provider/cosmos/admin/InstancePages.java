package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.cosmos.search.OldestRows;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts a page together from what the partitions answer: each is asked for its share of the page, all at once, and then
 * only those again that may have more before the page's end. Thread-safe.
 */
final class InstancePages {
    private final ContainerRequests requests;

    InstancePages(ContainerRequests requests) {
        this.requests = requests;
    }

    /**
     * Rows of a page, in the order of the query.
     *
     * @param isLast whether no row follows
     */
    record Page(List<ObjectNode> rows, boolean isLast) {}

    /**
     * The page that follows the key; the first one for null.
     *
     * @param sql the query in the store's language
     */
    Page read(Call call, InstanceQuery query, HeadQuery sql, int size, @Nullable PageKey after) {
        Comparator<Long> times = query.order() == InstanceQuery.Order.OLDEST_FIRST
                ? Comparator.naturalOrder()
                : Comparator.reverseOrder();
        Comparator<PageKey> order =
                Comparator.comparing(PageKey::createdAt, times).thenComparing(PageKey::instanceId);
        Map<String, RangeRows> parts = new LinkedHashMap<>();
        List<String> ranges = requests.ranges(call);
        // One more shows whether a row follows, and one more is the last of the page before.
        int each = OldestRows.perRange(size + 2, ranges.size());
        ranges.forEach(range -> parts.put(range, new RangeRows(sql, order, after, each)));
        Map<String, RangeRows> open = parts;
        while (!open.isEmpty()) {
            ask(call.again(), open);
            open = lacking(parts, placeOf(size, sorted(parts, order, after)));
        }
        List<ObjectNode> rows = sorted(parts, order, after).toList();
        boolean isLast = rows.size() <= size && parts.values().stream().allMatch(RangeRows::isWhole);
        return new Page(rows.subList(0, Math.min(size, rows.size())), isLast);
    }

    private void ask(Call call, Map<String, RangeRows> parts) {
        Map<String, SqlQuery> queries = new LinkedHashMap<>();
        parts.forEach((range, part) -> queries.put(range, part.next()));
        Map<String, List<ObjectNode>> answers = requests.queryRanges(call, queries);
        parts.forEach((range, part) -> part.add(answers.getOrDefault(range, List.of())));
    }

    private static Stream<ObjectNode> sorted(
            Map<String, RangeRows> parts, Comparator<PageKey> order, @Nullable PageKey after) {
        // Rows of the key's own time may be asked for again; those up to its id were on the page before.
        return parts.values().stream()
                .flatMap(part -> part.rows().stream())
                .filter(row -> after == null || order.compare(RangeRows.place(row), after) > 0)
                .sorted(Comparator.comparing(RangeRows::place, order));
    }

    /** The page's last row; null when there are too few rows. */
    private static @Nullable PageKey placeOf(int size, Stream<ObjectNode> rows) {
        return rows.skip(size - 1).findFirst().map(RangeRows::place).orElse(null);
    }

    private static Map<String, RangeRows> lacking(Map<String, RangeRows> parts, @Nullable PageKey end) {
        Map<String, RangeRows> lacking = new LinkedHashMap<>();
        parts.forEach((range, part) -> {
            if (part.lacks(end)) {
                lacking.put(range, part);
            }
        });
        return lacking;
    }
}
