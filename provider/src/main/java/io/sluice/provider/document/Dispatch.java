package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * What goes along with a document on its way to another partition: an object of its own in the intent, which no other
 * writer knows, reads or rewrites. Nothing correct rests on it but the deadline, and an intent without one is simply
 * delivered.
 *
 * @param correlationId null for the source's id
 * @param executionId of the source; null in intents of other writers
 * @param parentItemId id of the first message the turn consumed; null when none is known
 * @param deadline milliseconds from which on it fails permanently; null for none
 */
public record Dispatch(
        @Nullable String correlationId,
        @Nullable Long executionId,
        @Nullable String parentItemId,
        @Nullable Long deadline,
        @Nullable TraceContext trace) {
    /** The dispatch data of intents of other writers. */
    public static final Dispatch NONE = new Dispatch(null, null, null, null, null);

    private static final String FIELD = "dispatch";
    private static final String CORRELATION_ID = "correlationId";
    private static final String PARENT_ITEM_ID = "parentItemId";
    private static final String DEADLINE = "deadline";

    /** The dispatch data of a stored document; a field that is missing or has a wrong type counts as null. */
    public static Dispatch fromJson(JsonNode document) {
        JsonNode json = document.path(FIELD);
        if (!json.isObject()) {
            return NONE;
        }
        return new Dispatch(
                DocumentJson.textIfAny(json, CORRELATION_ID),
                DocumentJson.numberIfAny(json, Fields.EXECUTION_ID),
                DocumentJson.textIfAny(json, PARENT_ITEM_ID),
                DocumentJson.numberIfAny(json, DEADLINE),
                TraceFields.in(json));
    }

    /** Puts it into a document, as far as anything is said. */
    void writeTo(ObjectNode document) {
        if (equals(NONE)) {
            return;
        }
        ObjectNode json = document.putObject(FIELD);
        if (correlationId != null) {
            json.put(CORRELATION_ID, correlationId);
        }
        if (executionId != null) {
            json.put(Fields.EXECUTION_ID, executionId.longValue());
        }
        if (parentItemId != null) {
            json.put(PARENT_ITEM_ID, parentItemId);
        }
        if (deadline != null) {
            json.put(DEADLINE, deadline.longValue());
        }
        TraceFields.put(json, trace);
    }
}
