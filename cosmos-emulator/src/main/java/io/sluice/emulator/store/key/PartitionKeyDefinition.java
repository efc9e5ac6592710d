package io.sluice.emulator.store.key;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.JsonPaths;
import io.sluice.emulator.document.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How a container is partitioned.
 *
 * @param paths the properties that make the key, one for a hash, up to three for a hierarchical key
 * @param hierarchical whether each path is hashed for itself
 * @param version of the hash: 1 or 2; hierarchical keys know only 2
 */
public record PartitionKeyDefinition(List<List<String>> paths, boolean hierarchical, int version) {
    private static final int MAX_KEY_BYTES = 2048;

    /** Copies the paths. */
    public PartitionKeyDefinition {
        paths = List.copyOf(paths);
    }

    /**
     * Reads the {@code partitionKey} of a container's body.
     *
     * @throws StatusException 400 when it is missing or no key the service knows
     */
    public static PartitionKeyDefinition parse(JsonNode json) {
        if (!(json instanceof ObjectNode)
                || !(json.get("paths") instanceof ArrayNode)
                || json.get("paths").isEmpty()) {
            throw StatusException.badRequest(
                    "The partition key definition is missing or names no path. Containers without a partition key are"
                            + " not supported.");
        }
        var kind = json.path("kind").asText("Hash");
        boolean hierarchical = kind.equalsIgnoreCase("MultiHash");
        if (!hierarchical && !kind.equalsIgnoreCase("Hash")) {
            throw StatusException.badRequest("The partition key kind must be Hash or MultiHash, was " + kind);
        }
        var paths = new ArrayList<List<String>>();
        for (var path : json.get("paths")) {
            paths.add(JsonPaths.parse(path.asText()));
        }
        if (paths.size() > (hierarchical ? 3 : 1)) {
            throw StatusException.badRequest("Too many partition key paths: " + paths.size());
        }
        int version = version(json.path("version"), hierarchical);
        return new PartitionKeyDefinition(paths, hierarchical, version);
    }

    /** The Java SDK writes {@code "V2"}, others write 2. A hash without version is of the first, as on the service. */
    private static int version(JsonNode json, boolean hierarchical) {
        return switch (json.asText("").toUpperCase(Locale.ROOT)) {
            case "" -> hierarchical ? 2 : 1;
            case "2", "V2" -> 2;
            case "1", "V1" -> {
                if (hierarchical) {
                    throw StatusException.badRequest("A hierarchical partition key must have version 2, was " + json);
                }
                yield 1;
            }
            default -> throw StatusException.badRequest("The partition key version must be 1 or 2, was " + json);
        };
    }

    /** The key a document carries. An object or array is no value of a key: it counts as undefined. */
    public PartitionKey keyOf(ObjectNode document) {
        var components = new ArrayList<JsonNode>(paths.size());
        for (var path : paths) {
            JsonNode value = document;
            for (var name : path) {
                value = value.isObject() ? value.path(name) : MissingNode.getInstance();
            }
            components.add(value.isContainerNode() ? MissingNode.getInstance() : value);
        }
        return PartitionKey.of(components);
    }

    /**
     * Refuses a key that this container can't place.
     *
     * @throws StatusException 400 when components are missing or superfluous, or a string is too long
     */
    public void check(PartitionKey key) {
        checkSize(key, isComplete(key));
    }

    /**
     * Refuses values that are not the beginning of a hierarchical key.
     *
     * @throws StatusException 400 when components are superfluous, or a string is too long
     */
    public void checkPrefix(PartitionKey prefix) {
        checkSize(prefix, hierarchical && prefix.components().size() < paths.size());
    }

    /** Whether a key has a component for each path. */
    public boolean isComplete(PartitionKey key) {
        return key.components().size() == paths.size();
    }

    private void checkSize(PartitionKey key, boolean hasRightCount) {
        if (!hasRightCount || key.components().isEmpty()) {
            throw new StatusException(
                    400,
                    1001,
                    "Partition key provided either doesn't correspond to definition in the collection or doesn't match"
                            + " partition key field values specified in the document. " + key + " must have "
                            + paths.size() + " components.");
        }
        for (var component : key.components()) {
            if (component.isTextual()
                    && component.textValue().length() > MAX_KEY_BYTES / 4
                    && component.textValue().getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
                throw StatusException.badRequest(
                        "The partition key value is over its limit of " + MAX_KEY_BYTES + " bytes.");
            }
        }
    }
}
