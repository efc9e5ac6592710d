package io.sluice.relay.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/**
 * What is answered to a call.
 *
 * @param status of HTTP
 * @param contentType with the charset where it has one
 * @param body as text
 * @param headers further ones
 */
public record Answer(int status, String contentType, String body, Map<String, String> headers) {
    private static final JsonMapper JSON = new JsonMapper();

    public Answer {
        headers = Map.copyOf(headers);
    }

    /** A value as JSON: records and maps become objects. */
    public static Answer json(int status, Object value) {
        try {
            return new Answer(status, "application/json", JSON.writeValueAsString(value), Map.of());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("can't be written as JSON: " + value.getClass(), e);
        }
    }

    /** A text of another kind. */
    public static Answer text(String contentType, String body) {
        return new Answer(200, contentType, body, Map.of());
    }

    /** What was wrong, and what to do about it. */
    public static Answer error(int status, String what) {
        return json(status, Map.of("error", what));
    }

    Answer with(String header, String value) {
        return new Answer(status, contentType, body, Map.of(header, value));
    }
}
