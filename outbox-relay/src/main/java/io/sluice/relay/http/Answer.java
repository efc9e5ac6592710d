package io.sluice.relay.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/**
 * The response to a request.
 *
 * @param status of HTTP
 * @param contentType with the charset, if there is one
 * @param body as text
 * @param headers further headers
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

    /** A text of another content type. */
    public static Answer text(String contentType, String body) {
        return new Answer(200, contentType, body, Map.of());
    }

    /** An error: the fault and its remedy. */
    public static Answer error(int status, String what) {
        return json(status, Map.of("error", what));
    }

    Answer with(String header, String value) {
        return new Answer(status, contentType, body, Map.of(header, value));
    }
}
