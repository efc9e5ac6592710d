package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Outputs and custom statuses of a page, which may be large: of as many instances as take no more than a limit
 * together, and in portions. Thread-safe.
 */
final class PageTexts {
    /** Of one page, unless its first instance alone has more. */
    static final long MOST_CHARACTERS = 8_000_000;

    private static final long MOST_OF_PORTION = 2_000_000;

    private final ContainerRequests requests;

    PageTexts(ContainerRequests requests) {
        this.requests = requests;
    }

    /** The page, ended where its texts would become too many. */
    static InstancePages.Page bounded(InstancePages.Page page) {
        long characters = 0;
        int size = 0;
        for (ObjectNode row : page.rows()) {
            characters += HeadQuery.characters(row);
            if (size > 0 && characters > MOST_CHARACTERS) {
                return new InstancePages.Page(page.rows().subList(0, size), false);
            }
            size++;
        }
        return page;
    }

    /**
     * The rows with their texts, in their order; where there are none, as they are. One that changed meanwhile and does
     * not match any more is left out.
     */
    List<ObjectNode> read(Call call, HeadQuery query, List<ObjectNode> rows) {
        // One that was deleted and started again meanwhile has another place in the order.
        Map<PageKey, ObjectNode> whole = new HashMap<>();
        for (List<String> portion : portions(rows)) {
            requests.queryAllRanges(call.again(), query.withTexts(portion))
                    .forEach(row -> whole.put(RangeRows.place(row), row));
        }
        return rows.stream()
                .map(row -> HeadQuery.hasTexts(row) ? whole.get(RangeRows.place(row)) : row)
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<List<String>> portions(List<ObjectNode> rows) {
        List<List<String>> portions = new ArrayList<>();
        List<String> portion = new ArrayList<>();
        long characters = 0;
        for (ObjectNode row : rows) {
            if (!HeadQuery.hasTexts(row)) {
                continue;
            }
            characters += HeadQuery.characters(row);
            if (!portion.isEmpty() && characters > MOST_OF_PORTION) {
                portions.addAll(QueryBytes.portions(portion));
                portion = new ArrayList<>();
                characters = HeadQuery.characters(row);
            }
            portion.add(RangeRows.place(row).instanceId());
        }
        portions.addAll(QueryBytes.portions(portion));
        return portions;
    }
}
