package io.sluice.provider.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The rows of a query.
 *
 * @param pages more than one means that the rows were not read at one moment
 * @param isCut whether there are more than were to be read
 * @param sessionToken how far the replica was that answered last, in the service's words; empty where it did not say
 */
public record QueryResult(List<ObjectNode> rows, int pages, boolean isCut, String sessionToken) {
    public QueryResult {
        rows = List.copyOf(rows);
    }

    /** Whether these are all rows, as they were at one moment. */
    public boolean isOfOneMoment() {
        return pages <= 1 && !isCut;
    }
}
