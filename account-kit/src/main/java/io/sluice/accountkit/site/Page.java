package io.sluice.accountkit.site;

import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A page of a query or of the change feed.
 *
 * @param rows its documents
 * @param charge in request units
 * @param sessionToken how far the partition is
 * @param continuation where the next page begins; empty for none
 */
public record Page(List<JsonNode> rows, double charge, String sessionToken, String continuation) {
    public Page {
        rows = List.copyOf(rows);
    }

    static Page of(FeedResponse<JsonNode> response) {
        return new Page(
                response.getResults(),
                response.getRequestCharge(),
                text(response.getSessionToken()),
                text(response.getContinuationToken()));
    }

    private static String text(@org.jspecify.annotations.Nullable String text) {
        return text == null ? "" : text;
    }

    /** The ids of its documents. */
    public List<String> ids() {
        return rows.stream().map(row -> row.path("id").asText()).toList();
    }
}
