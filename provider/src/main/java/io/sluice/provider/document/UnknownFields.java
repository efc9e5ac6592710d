package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Fields of a stored document that this release does not know: a newer one wrote them, and whoever writes the document
 * anew writes them back as they were read. The service's own fields are none of them.
 */
public record UnknownFields(Map<String, JsonNode> values) {
    /** A document has no other fields than those that this release knows. */
    public static final UnknownFields NONE = new UnknownFields(Map.of());

    private static final String OF_THE_SERVICE = "_";

    public UnknownFields {
        values = values.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Those of a document whose known fields are these. */
    static UnknownFields of(JsonNode document, Set<String> known) {
        Map<String, JsonNode> unknown = new LinkedHashMap<>();
        document.properties().forEach(field -> {
            String name = field.getKey();
            if (!known.contains(name) && !name.startsWith(OF_THE_SERVICE)) {
                unknown.put(name, field.getValue());
            }
        });
        return unknown.isEmpty() ? NONE : new UnknownFields(unknown);
    }

    /** These, and in addition what an older document had. */
    public UnknownFields over(UnknownFields older) {
        if (older.values.isEmpty()) {
            return this;
        }
        Map<String, JsonNode> both = new LinkedHashMap<>(older.values);
        both.putAll(values);
        return new UnknownFields(both);
    }

    ObjectNode writeTo(ObjectNode document) {
        values.forEach(document::set);
        return document;
    }
}
