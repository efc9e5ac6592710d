package io.sluice.durabletask.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import java.util.Base64;
import java.util.Map;

/**
 * Failures as JSON that people can read; but for properties, which are values of any type: they are kept as protobuf,
 * in base64.
 */
final class FailureJson {
    private static final String TYPE = "type";
    private static final String MESSAGE = "message";
    private static final String NON_RETRIABLE = "nonRetriable";
    private static final String STACK = "stack";
    private static final String PROPERTIES = "properties";
    private static final String INNER = "inner";

    /** A JSON object is read and written to a depth of 128. */
    private static final int DEEPEST = 50;

    private FailureJson() {}

    static ObjectNode write(TaskFailureDetails failure) {
        return write(failure, 1);
    }

    private static ObjectNode write(TaskFailureDetails failure, int depth) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put(TYPE, failure.getErrorType())
                .put(MESSAGE, failure.getErrorMessage());
        if (failure.getIsNonRetriable()) {
            json.put(NON_RETRIABLE, true);
        }
        if (failure.hasStackTrace()) {
            json.put(STACK, failure.getStackTrace().getValue());
        }
        if (failure.getPropertiesCount() > 0) {
            TaskFailureDetails.Builder properties = TaskFailureDetails.newBuilder();
            failure.getPropertiesMap().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(property -> properties.putProperties(property.getKey(), property.getValue()));
            json.put(
                    PROPERTIES,
                    Base64.getEncoder().encodeToString(properties.build().toByteArray()));
        }
        if (failure.hasInnerFailure() && depth < DEEPEST) {
            json.set(INNER, write(failure.getInnerFailure(), depth + 1));
        }
        return json;
    }

    static TaskFailureDetails read(JsonNode json) {
        TaskFailureDetails.Builder failure = properties(json.path(PROPERTIES))
                .setErrorType(json.path(TYPE).asText())
                .setErrorMessage(json.path(MESSAGE).asText())
                .setIsNonRetriable(json.path(NON_RETRIABLE).asBoolean());
        if (json.path(STACK).isTextual()) {
            failure.setStackTrace(Wire.text(json.path(STACK).textValue()));
        }
        if (json.path(INNER).isObject()) {
            failure.setInnerFailure(read(json.path(INNER)));
        }
        return failure.build();
    }

    private static TaskFailureDetails.Builder properties(JsonNode json) {
        try {
            return TaskFailureDetails.parseFrom(Base64.getDecoder().decode(json.asText())).toBuilder();
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            // Not written by this version; the rest of the failure is worth showing all the same.
            return TaskFailureDetails.newBuilder();
        }
    }
}
