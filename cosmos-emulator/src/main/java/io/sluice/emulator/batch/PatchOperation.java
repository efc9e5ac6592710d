package io.sluice.emulator.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One step of a patch.
 *
 * @param kind what it does
 * @param path where
 * @param value to put there; null for a removal or a move
 * @param from where a move takes its value, null for others
 */
record PatchOperation(
        Kind kind,
        PatchPath path,
        @Nullable JsonNode value,
        @Nullable PatchPath from) {
    private static final Set<String> SYSTEM = Set.of("_rid", "_self", "_etag", "_attachments", "_ts");

    enum Kind {
        ADD,
        SET,
        REPLACE,
        REMOVE,
        INCR,
        MOVE
    }

    /**
     * Reads {@code {"op", "path", "value" or "from"}}.
     *
     * @throws StatusException 400 when it is none, or touches a property of the system
     */
    static PatchOperation parse(JsonNode json) {
        var kind = kind(json.path("op").asText());
        var path = PatchPath.parse(json.path("path").asText());
        if (SYSTEM.contains(path.root()) || path.isRoot("id")) {
            throw StatusException.badRequest("A patch can't change " + path);
        }
        var from = kind == Kind.MOVE ? PatchPath.parse(json.path("from").asText()) : null;
        var value = json.get("value");
        if (value == null && kind != Kind.REMOVE && kind != Kind.MOVE) {
            throw StatusException.badRequest("The patch operation " + kind + " of " + path + " has no value.");
        }
        if (kind == Kind.INCR && value != null && !value.isNumber()) {
            throw StatusException.badRequest("The patch operation INCR of " + path + " needs a number, was " + value);
        }
        if (from != null && path.isBelow(from)) {
            throw StatusException.badRequest("A patch can't move " + from + " into itself");
        }
        return new PatchOperation(kind, path, value, from);
    }

    /**
     * Does it.
     *
     * @throws StatusException 400 when the document has no such place
     */
    void apply(ObjectNode document) {
        var place = path.in(document);
        switch (kind) {
            case ADD -> place.insert(copyOfValue());
            case SET -> place.set(copyOfValue());
            case REPLACE -> {
                place.required();
                place.set(copyOfValue());
            }
            case REMOVE -> {
                place.required();
                place.remove();
            }
            case INCR -> increment(place);
            case MOVE -> move(document);
        }
    }

    private void increment(PatchPath.Place place) {
        var current = place.value();
        var by = copyOfValue();
        if (current == null) {
            place.set(by);
        } else if (!current.isNumber()) {
            throw StatusException.badRequest("A patch can't increment " + path + ": it is no number");
        } else {
            place.set(sum(current, by));
        }
    }

    /** Whole numbers stay whole as long as they fit. */
    private static JsonNode sum(JsonNode a, JsonNode b) {
        var holder = Json.object();
        if (a.isIntegralNumber() && b.isIntegralNumber() && a.canConvertToLong() && b.canConvertToLong()) {
            long sum = a.longValue() + b.longValue();
            boolean overflow = ((a.longValue() ^ sum) & (b.longValue() ^ sum)) < 0;
            if (!overflow) {
                return holder.put("sum", sum).get("sum");
            }
        }
        return holder.put("sum", a.doubleValue() + b.doubleValue()).get("sum");
    }

    private void move(ObjectNode document) {
        if (from == null) {
            throw StatusException.badRequest("A move needs a path to move from");
        }
        var source = from.in(document);
        var moved = source.required();
        source.remove();
        path.in(document).insert(moved);
    }

    private JsonNode copyOfValue() {
        if (value == null) {
            throw StatusException.badRequest("The patch operation " + kind + " of " + path + " has no value.");
        }
        return value.deepCopy();
    }

    private static Kind kind(String name) {
        var upper = name.toUpperCase(Locale.ROOT);
        if (upper.equals("INCREMENT")) {
            return Kind.INCR;
        }
        for (var kind : Kind.values()) {
            if (kind.name().equals(upper)) {
                return kind;
            }
        }
        throw StatusException.badRequest("The patch operation '" + name + "' is not known.");
    }
}
