package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.implementation.DocumentCollection;
import com.azure.cosmos.models.ModelBridgeInternal;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.provider.contract.Covers;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContainerDefinitionTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Covers("wire 19")
    @Test
    void the_container_we_create_is_the_one_every_writer_of_the_store_expects() throws IOException {
        JsonNode expected = vector();

        JsonNode sent = sent();

        assertThat(lowerCased(sent.get("indexingPolicy"))).isEqualTo(lowerCased(expected.get("indexingPolicy")));
        assertThat(lowerCased(sent.get("partitionKey"))).isEqualTo(lowerCased(expected.get("partitionKey")));
        assertThat(sent.get("id")).isEqualTo(expected.get("id"));
    }

    @Test
    void documents_with_a_time_to_live_expire_and_no_others() throws IOException {
        assertThat(sent().get("defaultTtl").asInt()).isEqualTo(-1);
    }

    private static JsonNode sent() throws IOException {
        DocumentCollection collection = ModelBridgeInternal.getV2Collection(ContainerDefinition.of("duroxide"));
        return MAPPER.readTree(collection.toJson());
    }

    private static JsonNode vector() throws IOException {
        try (InputStream in = ContainerDefinitionTest.class.getResourceAsStream("/vectors/container.json")) {
            return MAPPER.readTree(Objects.requireNonNull(in)).get(0).get("json");
        }
    }

    /** The Java SDK writes enumerations with a capital and the version as V2; the service takes both. */
    private static JsonNode lowerCased(JsonNode node) throws IOException {
        return MAPPER.readTree(node.toString().toLowerCase(Locale.ROOT).replace("\"v2\"", "2"));
    }
}
