package io.sluice.emulator;

import static io.sluice.emulator.Clients.item;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;

/** A client in a process of its own, whose command line names whom it trusts. */
final class TlsClient {
    private TlsClient() {}

    /**
     * Writes two items, reads one and queries both.
     *
     * @param args endpoint and key
     */
    public static void main(String[] args) {
        try (var client = new CosmosClientBuilder()
                .endpoint(args[0])
                .key(args[1])
                .gatewayMode()
                .buildClient()) {
            client.createDatabase("tls");
            var container = Clients.container(client.getDatabase("tls"), new CosmosContainerProperties("items", "/pk"));
            container.createItem(item("a", "1"));
            container.createItem(item("b", "2"));
            var read = container
                    .readItem("1", new PartitionKey("a"), JsonNode.class)
                    .getItem();
            var queried = Clients.ids(Clients.query(container, "SELECT * FROM c ORDER BY c.id"));
            System.out.println("read " + read.path("id").asText() + ", queried " + queried);
        }
    }
}
