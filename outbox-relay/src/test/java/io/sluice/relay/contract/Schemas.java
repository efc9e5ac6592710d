package io.sluice.relay.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schemas in the client's jar, read in two ways: as they are, which is how a consumer reads them, open to what
 * later relays add; and closed, which is how we judge what we write: nothing that a schema doesn't name, no type that
 * it doesn't know.
 */
public final class Schemas {
    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(VersionFlag.V202012);
    private static final List<String> OPENINGS = List.of("additionalProperties", "unevaluatedProperties");

    private static final Map<String, JsonSchema> OPEN = new ConcurrentHashMap<>();
    private static final Map<String, JsonSchema> CLOSED = new ConcurrentHashMap<>();

    private Schemas() {}

    /** What a consumer's validator finds wrong. */
    public static List<String> faults(String schema, JsonNode value) {
        return faults(OPEN.computeIfAbsent(schema, name -> FACTORY.getSchema(tree(name))), value);
    }

    /** What is wrong with a record of ours. */
    public static List<String> faultsOfOurs(String schema, JsonNode value) {
        return faults(CLOSED.computeIfAbsent(schema, name -> FACTORY.getSchema(closed(tree(name)))), value);
    }

    private static List<String> faults(JsonSchema schema, JsonNode value) {
        return schema.validate(value).stream().map(ValidationMessage::toString).toList();
    }

    static JsonNode tree(String schema) {
        try (var in = Schemas.class.getResourceAsStream(TopicValue.FOLDER + schema)) {
            return JSON.readTree(Objects.requireNonNull(in, schema));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode closed(JsonNode schema) {
        for (JsonNode part : schema) {
            closed(part);
        }
        if (schema instanceof ObjectNode object) {
            OPENINGS.stream().filter(object::has).forEach(opening -> object.set(opening, BooleanNode.FALSE));
            if (object.path("$defs").has("later")) {
                ((ObjectNode) object.path("$defs")).set("later", BooleanNode.FALSE);
            }
        }
        return schema;
    }
}
