package io.sluice.emulator.store.computed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A document whose computed properties are found by name, and are not among those that it lists and writes. */
@SuppressWarnings({"serial", "unchecked"}) // what a node of Jackson inherits
final class ComputedDocument extends ObjectNode {
    private final ObjectNode stored;
    private final ComputedProperties properties;

    ComputedDocument(ObjectNode stored, ComputedProperties properties) {
        super(JsonNodeFactory.instance);
        this.stored = stored;
        this.properties = properties;
        setAll(stored);
    }

    @Override
    public @Nullable JsonNode get(String name) {
        return properties.isComputed(name) ? properties.value(name, stored) : super.get(name);
    }

    @Override
    public JsonNode path(String name) {
        return Objects.requireNonNullElse(get(name), MissingNode.getInstance());
    }
}
