package io.sluice.emulator.http.message;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.document.binary.BinaryJson;
import io.sluice.emulator.document.hybridrow.HybridRow;
import io.sluice.emulator.store.Precondition;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request as it was received. Its body is parsed once, on demand. Used by one thread at a time. */
public final class WireRequest {
    private final String region;
    private final String method;
    private final ResourcePath path;
    private final HttpHeaders headers;
    private final byte[] body;
    private final String activityId;
    private @Nullable JsonNode json;

    /** @param region that received the request */
    public WireRequest(String region, String method, ResourcePath path, HttpHeaders headers, byte[] body) {
        this.region = region;
        this.method = method;
        this.path = path;
        this.headers = headers;
        this.body = body;
        var given = header(Headers.ACTIVITY_ID);
        this.activityId = given == null ? UUID.randomUUID().toString() : given;
    }

    /** The region that received it. */
    public String region() {
        return region;
    }

    /** The HTTP method. */
    public String method() {
        return method;
    }

    /** The path. */
    public ResourcePath path() {
        return path;
    }

    /** The body, empty when there is none. */
    public byte[] body() {
        return body;
    }

    /** The id that the client gave this request, or a new one. */
    public String activityId() {
        return activityId;
    }

    /** A header's value, null when it is absent or empty. */
    @Nullable
    public String header(String name) {
        var value = headers.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** Whether a header is {@code true}. */
    public boolean isSet(String header) {
        return "true".equalsIgnoreCase(headers.get(header));
    }

    /**
     * A header that must be a whole number.
     *
     * @throws StatusException 400 when it is not
     */
    public int number(String header, int absent) {
        var value = header(header);
        if (value == null) {
            return absent;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("The header " + header + " must be a whole number, was " + value);
        }
    }

    /** The parts of a header between commas. */
    public List<String> list(String header) {
        var value = header(header);
        return value == null ? List.of() : List.of(value.strip().split("\\s*,\\s*"));
    }

    /** The conditions of its headers. */
    public Precondition precondition() {
        return new Precondition(header(Headers.IF_MATCH), header(Headers.IF_NONE_MATCH));
    }

    /** Whether the client wants no document in the response. */
    public boolean prefersMinimal() {
        var prefer = header(Headers.PREFER);
        return prefer != null && prefer.contains("return=minimal");
    }

    /**
     * The body as JSON, into which binary JSON and HybridRow are converted.
     *
     * @throws StatusException 400 when it has none of these forms
     */
    public JsonNode json() {
        var parsed = json;
        if (parsed == null) {
            parsed = parse(body);
            json = parsed;
        }
        return parsed;
    }

    private static JsonNode parse(byte[] body) {
        if (HybridRow.isRows(body)) {
            return HybridRow.readOperations(body);
        }
        return BinaryJson.readEither(body);
    }

    /** Drops the conditions of a batch's operations. */
    public void forgetConditions() {
        if (json() instanceof ArrayNode operations) {
            for (var operation : operations) {
                ((ObjectNode) operation).remove("ifMatch");
            }
        }
    }

    /**
     * The body as a JSON object.
     *
     * @throws StatusException 400 when it is not
     */
    public ObjectNode object() {
        if (json() instanceof ObjectNode object) {
            return object;
        }
        throw StatusException.badRequest("The input content is invalid: it must be a JSON object.");
    }
}
