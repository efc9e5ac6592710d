package io.sluice.durabletask.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.durabletask.wire.Failures;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.provider.InstanceExt;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** States as JSON, within the limit of what is kept along with an instance. */
final class InstanceStateJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EXECUTION = "execution";
    private static final String PARENT = "parent";
    private static final String INPUT = "inputCharacters";
    private static final String SCHEDULED = "scheduledStart";
    private static final String OUTPUT_EVENT = "outputEvent";
    private static final String FAILURE = "failure";
    private static final String TAGS = "tags";
    /** More than an instance id, of 950 bytes at most, takes as JSON. */
    private static final int LONGEST_ID = 2_000;
    /** What the name of a field and the signs around its value take at most. */
    private static final int FIELD_BYTES = 32;
    /** Colon and comma of an entry. */
    private static final int ENTRY_BYTES = 2;

    private InstanceStateJson() {}

    static InstanceExt write(InstanceState state) {
        ObjectNode json = JSON.createObjectNode();
        json.put(InstanceState.STATUS, InstanceState.text(state.status()));
        if (state.completedAt() != null) {
            json.put(InstanceState.COMPLETED_AT, state.completedAt().toEpochMilli());
        }
        putId(json, EXECUTION, state.executionGuid());
        if (state.parentInstance() != null) {
            putId(json, PARENT, state.parentInstance());
        }
        if (state.inputCharacters() >= 0) {
            json.put(INPUT, state.inputCharacters());
        }
        if (state.scheduledStart() != null) {
            json.put(SCHEDULED, state.scheduledStart().toString());
        }
        if (state.outputEvent() > 0) {
            json.put(OUTPUT_EVENT, state.outputEvent());
        }
        putFailureAndTags(json, state);
        return new InstanceExt(json.toString());
    }

    private static void putId(ObjectNode json, String field, String id) {
        if (!id.isEmpty() && bytes(JSON.getNodeFactory().textNode(id)) <= LONGEST_ID) {
            json.put(field, id);
        }
    }

    /** The longest failure that leaves room for the tags; if none does, the shortest, and the tags that fit. */
    private static void putFailureAndTags(ObjectNode json, InstanceState state) {
        int room = InstanceExt.MAX_BYTES - bytes(json);
        JsonNode tags = tags(state.tags());
        int roomForFailure = room - (tags.isEmpty() ? 0 : FIELD_BYTES + bytes(tags));
        if (state.failure() != null) {
            List<ObjectNode> failures =
                    Failures.shortened(state.failure()).map(FailureJson::write).toList();
            ObjectNode failure = failures.stream()
                    .filter(candidate -> FIELD_BYTES + bytes(candidate) <= roomForFailure)
                    .findFirst()
                    .orElse(failures.get(failures.size() - 1));
            room -= FIELD_BYTES + bytes(failure);
            json.set(FAILURE, failure);
        }
        JsonNode kept = tags(shortest(state.tags(), room - FIELD_BYTES));
        if (!kept.isEmpty()) {
            json.set(TAGS, kept);
        }
    }

    private static Map<String, String> shortest(Map<String, String> tags, int room) {
        List<Map.Entry<String, String>> ascending = new ArrayList<>(tags.entrySet());
        ascending.sort(Comparator.<Map.Entry<String, String>>comparingInt(InstanceStateJson::bytes)
                .thenComparing(Map.Entry.comparingByKey()));
        Map<String, String> kept = new LinkedHashMap<>();
        int bytes = 0;
        for (Map.Entry<String, String> tag : ascending) {
            bytes += bytes(tag);
            if (bytes > room) {
                break;
            }
            kept.put(tag.getKey(), tag.getValue());
        }
        return kept;
    }

    private static ObjectNode tags(Map<String, String> tags) {
        ObjectNode json = JSON.createObjectNode();
        tags.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(tag -> json.put(tag.getKey(), tag.getValue()));
        return json;
    }

    private static int bytes(Map.Entry<String, String> tag) {
        return bytes(JSON.getNodeFactory().textNode(tag.getKey()))
                + bytes(JSON.getNodeFactory().textNode(tag.getValue()))
                + ENTRY_BYTES;
    }

    private static int bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    static Optional<InstanceState> read(InstanceExt ext) {
        JsonNode json = parse(ext);
        return InstanceState.status(json.path(InstanceState.STATUS).asText()).map(status -> read(json, status));
    }

    private static InstanceState read(JsonNode json, OrchestrationStatus status) {
        JsonNode completedAt = json.path(InstanceState.COMPLETED_AT);
        JsonNode failure = json.path(FAILURE);
        Map<String, String> tags = new LinkedHashMap<>();
        json.path(TAGS)
                .properties()
                .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        return new InstanceState(
                status,
                json.path(EXECUTION).asText(),
                tags,
                json.path(PARENT).isTextual() ? json.path(PARENT).textValue() : null,
                json.path(INPUT).asInt(-1),
                time(json.path(SCHEDULED)),
                completedAt.canConvertToLong() ? Instant.ofEpochMilli(completedAt.longValue()) : null,
                failure.isObject() ? FailureJson.read(failure) : null,
                json.path(OUTPUT_EVENT).asLong());
    }

    private static @Nullable Instant time(JsonNode json) {
        try {
            return json.isTextual() ? Instant.parse(json.textValue()) : null;
        } catch (DateTimeException e) {
            // Not written by this version; a query for many instances must not fail for one.
            return null;
        }
    }

    private static JsonNode parse(InstanceExt ext) {
        try {
            return JSON.readTree(ext.json());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an ext is a JSON object", e);
        }
    }
}
