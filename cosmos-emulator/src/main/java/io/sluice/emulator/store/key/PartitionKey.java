package io.sluice.emulator.store.key;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of a logical partition's key: one component per path of the container, each a string, number, boolean, null
 * or undefined (a {@link MissingNode}). Two keys are equal when the service would put their items together.
 */
public final class PartitionKey {
    private final List<JsonNode> components;
    /** Created on demand: nearly all keys are only compared with a key of the same components. */
    private @Nullable String text;

    private PartitionKey(List<JsonNode> components) {
        this.components = List.copyOf(components);
    }

    /** The key with these components. */
    public static PartitionKey of(List<JsonNode> components) {
        return new PartitionKey(components);
    }

    /**
     * The key a request names in its header, a JSON array in which {@code {}} stands for undefined.
     *
     * @throws StatusException 400 when it is not such an array
     */
    public static PartitionKey parse(String header) {
        JsonNode array;
        try {
            array = Json.read(header);
        } catch (JsonProcessingException e) {
            throw invalid(header);
        }
        if (!(array instanceof ArrayNode)) {
            throw invalid(header);
        }
        var components = new ArrayList<JsonNode>();
        for (var component : array) {
            if (component.isObject() && component.isEmpty()) {
                components.add(MissingNode.getInstance());
            } else if (component.isContainerNode()) {
                throw invalid(header);
            } else {
                components.add(component);
            }
        }
        return new PartitionKey(components);
    }

    /** The components, in the order of the container's paths. */
    public List<JsonNode> components() {
        return components;
    }

    /** A text that is the same for equal keys only. */
    public String text() {
        var made = text;
        if (made == null) {
            made = canonical(components);
            text = made;
        }
        return made;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionKey key
                && (key.components.equals(components) || key.text().equals(text()));
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }

    private static StatusException invalid(String header) {
        return StatusException.badRequest("Partition key " + header + " is invalid.");
    }

    /** Numbers are doubles to the service, so 1 and 1.0 are one key. */
    private static String canonical(List<JsonNode> components) {
        var text = new StringBuilder("[");
        for (var component : components) {
            if (text.length() > 1) {
                text.append(',');
            }
            if (component.isMissingNode()) {
                text.append("{}");
            } else if (component.isNumber()) {
                text.append(component.doubleValue());
            } else {
                text.append(component);
            }
        }
        return text.append(']').toString();
    }
}
