package io.sluice.durabletask.dispatch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.durabletask.worker.WorkKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * What a worker sends back with its answer. It holds all that another host needs to commit an activity's result; for
 * SDKs it is opaque.
 *
 * @param host that has dispatched the item
 * @param lockToken of the provider
 * @param executionId of the provider
 * @param eventId of the provider's event that scheduled the activity; 0 for a turn
 * @param taskId DurableTask's id of the activity; 0 for a turn
 */
public record CompletionToken(
        String host, WorkKind kind, String lockToken, String instance, long executionId, long eventId, int taskId) {
    private static final int FIELDS = 7;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The token as text: a JSON array in base64 for URLs. */
    public String text() {
        ArrayNode fields = JSON.createArrayNode()
                .add(host)
                .add(kind.name())
                .add(lockToken)
                .add(instance)
                .add(executionId)
                .add(eventId)
                .add(taskId);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(fields.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a token.
     *
     * @throws IllegalArgumentException when no host has written it
     */
    public static CompletionToken parse(String text) {
        try {
            JsonNode fields = JSON.readTree(Base64.getUrlDecoder().decode(text));
            if (fields != null && isToken(fields)) {
                return new CompletionToken(
                        fields.get(0).textValue(),
                        WorkKind.valueOf(fields.get(1).textValue()),
                        fields.get(2).textValue(),
                        fields.get(3).textValue(),
                        fields.get(4).longValue(),
                        fields.get(5).longValue(),
                        fields.get(6).intValue());
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw unknown(e);
        } catch (IOException e) {
            throw new AssertionError("no input but the text", e);
        }
        throw unknown(null);
    }

    private static boolean isToken(JsonNode fields) {
        return fields.isArray()
                && fields.size() == FIELDS
                && fields.get(0).isTextual()
                && fields.get(1).isTextual()
                && fields.get(2).isTextual()
                && fields.get(3).isTextual()
                && fields.get(4).canConvertToLong()
                && fields.get(5).canConvertToLong()
                && fields.get(6).canConvertToInt();
    }

    private static IllegalArgumentException unknown(@org.jspecify.annotations.Nullable Exception cause) {
        return new IllegalArgumentException(
                "completionToken: expected one that came with a work item of a Sluice host", cause);
    }
}
