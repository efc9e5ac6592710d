package io.sluice.emulator.http.message;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.document.binary.BinaryJson;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.LinkedHashMap;
import java.util.Map;

/** A response: status, headers and body, and what the request log notes of it. Used by one thread at a time. */
public final class WireResponse {
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
    private byte[] body;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String contentType = "application/json";
    private int subStatus;
    private double requestCharge;
    private int itemCount;
    private long itemsRead;

    private WireResponse(int status, byte[] body) {
        this.status = status;
        this.body = body;
    }

    /** A response without a body. */
    public static WireResponse empty(int status) {
        return new WireResponse(status, NOTHING);
    }

    /** A response with a body that is JSON already. */
    public static WireResponse json(int status, byte[] body) {
        return new WireResponse(status, body);
    }

    /** A response with a JSON body. */
    public static WireResponse json(int status, JsonNode body) {
        return new WireResponse(status, Json.bytes(body));
    }

    /** Writes its body as binary JSON. */
    public WireResponse toBinary() {
        body = BinaryJson.write(Json.readValue(body));
        return this;
    }

    /** A database, container or offer; costs what such metadata cost. */
    public static WireResponse resource(int status, ObjectNode body) {
        var response = json(status, body).charge(RequestUnits.METADATA);
        var etag = body.path("_etag");
        return etag.isTextual() ? response.header(Headers.ETAG, etag.textValue()) : response;
    }

    /** An error as the service words it: a code, and a message that names the activity id. */
    public static WireResponse error(StatusException error, String activityId) {
        var body = Json.object()
                .put("code", CODES.getOrDefault(error.status(), "Error"))
                .put("message", error.getMessage() + "\r\nActivityId: " + activityId);
        if (!error.additionalInfo().isEmpty()) {
            body.put("additionalErrorInfo", error.additionalInfo());
        }
        var response = json(error.status(), body).subStatus(error.subStatus());
        return error.retryAfterMillis() == 0
                ? response
                : response.header(Headers.RETRY_AFTER, Long.toString(error.retryAfterMillis()));
    }

    /** Sets a header. */
    public WireResponse header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Sets the type of a body other than JSON. */
    public WireResponse contentType(String value) {
        contentType = value;
        return this;
    }

    /** The type of the body. */
    public String contentType() {
        return contentType;
    }

    /** Sets the sub-status. */
    public WireResponse subStatus(int value) {
        subStatus = value;
        return this;
    }

    /** Sets the cost in request units. */
    public WireResponse charge(double requestUnits) {
        requestCharge = requestUnits;
        return this;
    }

    /** Sets how many documents it has. */
    public WireResponse items(int count) {
        itemCount = count;
        return this;
    }

    /** How many items were read to choose the page's items. */
    public WireResponse read(long count) {
        itemsRead = count;
        return this;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The sub-status, 0 for none. */
    public int subStatus() {
        return subStatus;
    }

    /** The cost in request units. */
    public double requestCharge() {
        return requestCharge;
    }

    /** How many documents it has. */
    public int itemCount() {
        return itemCount;
    }

    /** How many items were read for it. */
    public long itemsRead() {
        return itemsRead;
    }

    /** The body. */
    public byte[] body() {
        return body;
    }

    /** The headers, but for those that every response has. */
    public Map<String, String> headers() {
        return headers;
    }
}
