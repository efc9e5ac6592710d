package io.sluice.provider.cosmos.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads documents of many instances by one query of each physical partition, or of a few where the ids are long. */
public final class InstanceRows {
    private InstanceRows() {}

    /**
     * Asks each range for its instances, in as many portions as they need.
     *
     * @param sql ends with its filter
     * @param instances by key range
     * @param row told of each row
     */
    public static void ask(
            ContainerRequests requests,
            Call call,
            String sql,
            Map<String, List<String>> instances,
            Consumer<ObjectNode> row) {
        Map<String, List<List<String>>> portions = new LinkedHashMap<>();
        instances.forEach((range, ids) -> portions.put(range, QueryBytes.portions(ids)));
        int most = portions.values().stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < most; i++) {
            Map<String, SqlQuery> queries = new LinkedHashMap<>();
            int portion = i;
            portions.forEach((range, all) -> {
                if (portion < all.size()) {
                    queries.put(range, SqlQuery.of(sql).andOneOf("c.instanceId", new ArrayList<>(all.get(portion))));
                }
            });
            requests.queryRanges(call, queries).values().forEach(rows -> rows.forEach(row));
        }
    }
}
