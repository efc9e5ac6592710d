package io.sluice.provider.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * All rows of a query.
 *
 * @param pages more than one means that the rows were not read at one moment
 */
public record QueryResult(List<ObjectNode> rows, int pages) {
    public QueryResult {
        rows = List.copyOf(rows);
    }
}
