package io.sluice.provider.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a query: as many rows as were asked for at most, and no more than the service puts into one answer
 * (4 MB).
 *
 * @param next where the query goes on; null at its end
 */
public record QueryPage(List<ObjectNode> rows, @Nullable String next) {
    public QueryPage {
        rows = List.copyOf(rows);
    }
}
