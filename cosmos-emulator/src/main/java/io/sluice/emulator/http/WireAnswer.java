package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.store.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer on its way out. Built by one thread. */
final class WireAnswer {
    private static final byte[] NOTHING = new byte[0];
    private static final Map<Integer, String> CODES = Map.ofEntries(
            Map.entry(400, "BadRequest"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "NotFound"),
            Map.entry(405, "MethodNotAllowed"),
            Map.entry(408, "RequestTimeout"),
            Map.entry(409, "Conflict"),
            Map.entry(410, "Gone"),
            Map.entry(412, "PreconditionFailed"),
            Map.entry(413, "RequestEntityTooLarge"),
            Map.entry(429, "TooManyRequests"),
            Map.entry(449, "RetryWith"),
            Map.entry(500, "InternalServerError"),
            Map.entry(503, "ServiceUnavailable"));

    private final int status;
    private final byte[] body;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String contentType = "application/json";
    private int subStatus;
    private double requestCharge;
    private int itemCount;
    private long itemsRead;

    private WireAnswer(int status, byte[] body) {
        this.status = status;
        this.body = body;
    }

    static WireAnswer empty(int status) {
        return new WireAnswer(status, NOTHING);
    }

    static WireAnswer json(int status, byte[] body) {
        return new WireAnswer(status, body);
    }

    static WireAnswer json(int status, JsonNode body) {
        return new WireAnswer(status, Json.bytes(body));
    }

    /** A refusal in the service's form: a code and a message that names the request. */
    static WireAnswer refusal(Refusal refusal, String activityId) {
        var body = Json.object()
                .put("code", CODES.getOrDefault(refusal.status(), "Error"))
                .put("message", refusal.getMessage() + "\r\nActivityId: " + activityId);
        if (!refusal.additionalInfo().isEmpty()) {
            body.put("additionalErrorInfo", refusal.additionalInfo());
        }
        var answer = json(refusal.status(), body).subStatus(refusal.subStatus());
        return refusal.retryAfterMillis() == 0
                ? answer
                : answer.header(Headers.RETRY_AFTER, Long.toString(refusal.retryAfterMillis()));
    }

    WireAnswer header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    WireAnswer contentType(String value) {
        contentType = value;
        return this;
    }

    String contentType() {
        return contentType;
    }

    WireAnswer subStatus(int value) {
        subStatus = value;
        return this;
    }

    WireAnswer charge(double requestUnits) {
        requestCharge = requestUnits;
        return this;
    }

    WireAnswer items(int count) {
        itemCount = count;
        return this;
    }

    /** From how many items a page was chosen. */
    WireAnswer read(long count) {
        itemsRead = count;
        return this;
    }

    int status() {
        return status;
    }

    int subStatus() {
        return subStatus;
    }

    double requestCharge() {
        return requestCharge;
    }

    int itemCount() {
        return itemCount;
    }

    long itemsRead() {
        return itemsRead;
    }

    byte[] body() {
        return body;
    }

    Map<String, String> headers() {
        return headers;
    }
}
