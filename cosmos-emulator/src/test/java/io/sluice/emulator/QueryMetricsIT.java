package io.sluice.emulator;

import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueryMetricsIT {
    private static final int ITEMS = 150;

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    @Test
    void the_sdk_is_told_what_an_index_spared() {
        CosmosContainer container = EMULATOR.container();
        for (int i = 0; i < ITEMS; i++) {
            container.createItem(item("a", "item-" + i).put("place", i));
        }

        assertThat(diagnostics(container, "SELECT * FROM c WHERE c.place IN (3, 4)"))
                .contains("retrievedDocumentCount=2;")
                .contains("outputDocumentCount=2;");
        assertThat(diagnostics(container, "SELECT * FROM c WHERE c.place % 100 = 3"))
                .contains("retrievedDocumentCount=" + ITEMS + ";")
                .contains("outputDocumentCount=2;");
    }

    private static String diagnostics(CosmosContainer container, String query) {
        var options = new CosmosQueryRequestOptions()
                .setPartitionKey(new PartitionKey("a"))
                .setQueryMetricsEnabled(true);
        FeedResponse<JsonNode> page = container
                .queryItems(query, options, JsonNode.class)
                .iterableByPage()
                .iterator()
                .next();
        return page.getResponseHeaders().getOrDefault("x-ms-documentdb-query-metrics", "none");
    }
}
