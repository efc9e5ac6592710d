package io.sluice.durabletask.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.SemanticVersion;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What of a DurableTask event has no home in the provider's: the extra field {@code dt} of an event or a message, in
 * format 1.
 *
 * <pre>{"i": 3, "n": ["input"], "p": "…", "t": "2026-06-15T08:00:00.000000001Z", "c": ["…"], "e": "…"}</pre>
 *
 * @param id {@code i}, the DurableTask id
 * @param absent {@code n}, the payloads that were absent rather than empty
 * @param rest {@code p}, the event as protobuf, in base64 without padding: all of it but the id and the payloads;
 *     empty when DurableTask has no such event
 * @param turnStart {@code t}, on the first event of a turn: when the turn began
 * @param carryover {@code c}, on a message that begins an execution: whole events that come with it, as protobuf
 * @param executionGuid {@code e}, on an activity for a worker and on a child's outcome: the GUID of the execution that
 *     scheduled it
 * @param orchestrationVersion {@code v}, on an activity for a worker: the version of that orchestration
 */
public record DtFields(
        int id,
        List<String> absent,
        ByteString rest,
        @Nullable Instant turnStart,
        List<ByteString> carryover,
        @Nullable String executionGuid,
        @Nullable String orchestrationVersion) {
    /** The version that events are marked and executions pinned with; no runtime of duroxide replays it. */
    public static final SemanticVersion FORMAT = SemanticVersion.of(999, 1, 0);

    private static final String NAME = "dt";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Base64.Encoder TO_BASE64 = Base64.getEncoder().withoutPadding();

    public DtFields {
        absent = List.copyOf(absent);
        carryover = List.copyOf(carryover);
    }

    /** The fields of an event within a turn. */
    static DtFields of(int id, List<String> absent, ByteString rest) {
        return new DtFields(id, absent, rest, null, List.of(), null, null);
    }

    /** The same, on the first event of a turn that began then. */
    DtFields startingTurn(Instant time) {
        return new DtFields(id, absent, rest, time, carryover, executionGuid, orchestrationVersion);
    }

    /** The same, with events for the next execution. */
    DtFields carrying(List<ByteString> events) {
        return new DtFields(id, absent, rest, turnStart, events, executionGuid, orchestrationVersion);
    }

    /** The same, of what this execution has scheduled. */
    DtFields scheduledBy(String guid, @Nullable String version) {
        return new DtFields(id, absent, rest, turnStart, carryover, guid, version);
    }

    /** The extra field. */
    ExtraFields toExtras() {
        ObjectNode dt = JSON.createObjectNode();
        dt.put("i", id);
        if (!absent.isEmpty()) {
            ArrayNode names = dt.putArray("n");
            absent.forEach(names::add);
        }
        dt.put("p", base64(rest));
        if (turnStart != null) {
            dt.put("t", turnStart.toString());
        }
        if (!carryover.isEmpty()) {
            ArrayNode events = dt.putArray("c");
            carryover.forEach(event -> events.add(base64(event)));
        }
        if (executionGuid != null) {
            dt.put("e", executionGuid);
        }
        if (orchestrationVersion != null) {
            dt.put("v", orchestrationVersion);
        }
        return new ExtraFields(Map.of(NAME, dt.toString()));
    }

    /**
     * Reads the extra field; empty where there is none, as in what others than a host have written.
     *
     * @throws HistoryFormatException when it is not of this format
     */
    static Optional<DtFields> in(ExtraFields extras) {
        String json = extras.jsonByName().get(NAME);
        if (json == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(JSON.readTree(json)));
        } catch (JsonProcessingException e) {
            throw new HistoryFormatException("dt: expected JSON", e);
        }
    }

    private static DtFields read(JsonNode dt) {
        JsonNode id = dt.path("i");
        if (!id.canConvertToInt() || !id.isIntegralNumber()) {
            throw new HistoryFormatException("dt.i: expected a whole number of 32 bits, found " + id.getNodeType());
        }
        List<String> absent = new ArrayList<>();
        array(dt, "n").forEach(name -> absent.add(text(name, "dt.n")));
        List<ByteString> carryover = new ArrayList<>();
        array(dt, "c").forEach(event -> carryover.add(bytes(event, "dt.c")));
        return new DtFields(
                id.intValue(),
                absent,
                bytes(dt.path("p"), "dt.p"),
                dt.has("t") ? time(dt.path("t")) : null,
                carryover,
                dt.has("e") ? text(dt.path("e"), "dt.e") : null,
                dt.has("v") ? text(dt.path("v"), "dt.v") : null);
    }

    private static JsonNode array(JsonNode dt, String name) {
        JsonNode array = dt.path(name);
        if (!array.isArray() && !array.isMissingNode()) {
            throw new HistoryFormatException("dt." + name + ": expected an array, found " + array.getNodeType());
        }
        return array;
    }

    private static String text(JsonNode value, String path) {
        if (!value.isTextual()) {
            throw new HistoryFormatException(path + ": expected a string, found " + value.getNodeType());
        }
        return value.textValue();
    }

    private static ByteString bytes(JsonNode value, String path) {
        try {
            return ByteString.copyFrom(Base64.getDecoder().decode(text(value, path)));
        } catch (IllegalArgumentException e) {
            throw new HistoryFormatException(path + ": expected base64", e);
        }
    }

    private static Instant time(JsonNode value) {
        try {
            return Instant.parse(text(value, "dt.t"));
        } catch (DateTimeParseException e) {
            throw new HistoryFormatException("dt.t: expected a time as ISO 8601 writes it", e);
        }
    }

    private static String base64(ByteString bytes) {
        return TO_BASE64.encodeToString(bytes.toByteArray());
    }

    /** Without payloads, which {@code rest} may hold too. */
    @Override
    public String toString() {
        return "DtFields[id=" + id + ", absent=" + absent + ", rest=" + rest.size() + " bytes, turnStart=" + turnStart
                + ", carryover=" + carryover.size() + ']';
    }
}
