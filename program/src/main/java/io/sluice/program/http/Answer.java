package io.sluice.program.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** The health of a process: 200 when it is well, else 503 with the reasons. */
    public static Answer health(List<String> reasons) {
        return health(reasons, Map.of());
    }

    /** The same, with more to be told. */
    public static Answer health(List<String> reasons, Map<String, Object> more) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("well", reasons.isEmpty());
        body.put("reasons", reasons);
        body.putAll(more);
        return json(reasons.isEmpty() ? 200 : 503, body);
    }

    /** Meters in the format of Prometheus. */
    public static Answer metrics(String scraped) {
        return text("text/plain; version=0.0.4; charset=utf-8", scraped);
    }

    /** An error: the fault and its remedy. */
    public static Answer error(int status, String what) {
        return json(status, Map.of("error", what));
    }

    /** The same with a further header. */
    public Answer with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new Answer(status, contentType, body, all);
    }

    /** The answer to a call that can succeed soon: 503, with the time after which to try again. */
    static Answer busy(String what) {
        return error(503, what + ", try again later").with("Retry-After", "2");
    }
}
