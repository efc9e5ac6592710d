package io.sluice.emulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.assertj.core.api.AbstractObjectAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The unchanged SDK, pointed at an emulator, and short words for what tests do with it. */
final class Clients {
    private Clients() {}

    static CosmosClientBuilder builder(CosmosEmulator emulator) {
        return JavaClients.builder(emulator).contentResponseOnWriteEnabled(true);
    }

    static CosmosContainer container(CosmosDatabase database, CosmosContainerProperties properties) {
        database.createContainer(properties);
        return database.getContainer(properties.getId());
    }

    static ObjectNode item(String partitionKey, String id) {
        return JsonNodeFactory.instance.objectNode().put("id", id).put("pk", partitionKey);
    }

    static List<String> ids(List<? extends JsonNode> items) {
        return items.stream().map(item -> item.path("id").asText()).toList();
    }

    static List<JsonNode> query(CosmosContainer container, String sql) {
        return query(container, sql, new CosmosQueryRequestOptions());
    }

    static List<JsonNode> query(CosmosContainer container, String sql, CosmosQueryRequestOptions options) {
        return container.queryItems(sql, options, JsonNode.class).stream().toList();
    }

    /** The call is refused with a status. */
    static AbstractObjectAssert<?, CosmosException> assertRefused(ThrowingCallable call, int status) {
        return assertThatThrownBy(call)
                .isInstanceOf(CosmosException.class)
                .asInstanceOf(InstanceOfAssertFactories.type(CosmosException.class))
                .returns(status, CosmosException::getStatusCode);
    }
}
