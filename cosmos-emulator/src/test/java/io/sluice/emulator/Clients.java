package io.sluice.emulator;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/** The unchanged SDK, pointed at an emulator. */
final class Clients {
    static {
        System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
    }

    private Clients() {}

    static CosmosClientBuilder builder(CosmosEmulator emulator) {
        return new CosmosClientBuilder()
                .endpoint(emulator.endpoint())
                .key(emulator.key())
                .gatewayMode()
                .contentResponseOnWriteEnabled(true);
    }

    /** A container of its own, partitioned by {@code /pk}. */
    static CosmosContainer container(CosmosDatabase database) {
        return container(
                database, new CosmosContainerProperties(UUID.randomUUID().toString(), "/pk"));
    }

    static CosmosContainer container(CosmosDatabase database, CosmosContainerProperties properties) {
        database.createContainer(properties);
        return database.getContainer(properties.getId());
    }

    static ObjectNode item(String partitionKey, String id) {
        return JsonNodeFactory.instance.objectNode().put("id", id).put("pk", partitionKey);
    }
}
