package io.sluice.emulator.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the log says of a request: first without, then with its response. Thread-safe. */
final class LoggedRequests {
    private final InstantSource clock;
    private final AtomicLong sequence = new AtomicLong();

    LoggedRequests(InstantSource clock) {
        this.clock = clock;
    }

    /** The entry of an authenticated request. Its body is parsed where the entry has a part of it. */
    LoggedRequest accepted(RequestKind kind, WireRequest request) {
        return withoutResponse(kind, request, LoggedRequests::json);
    }

    /** The entry of a request that is not authenticated: what its path and headers say. Its body is not parsed. */
    LoggedRequest refused(RequestKind kind, WireRequest request) {
        return withoutResponse(kind, request, unread -> MissingNode.getInstance());
    }

    private LoggedRequest withoutResponse(RequestKind kind, WireRequest request, Function<WireRequest, JsonNode> body) {
        return new LoggedRequest(
                sequence.incrementAndGet(),
                clock.instant(),
                kind,
                request.method(),
                request.path().toString(),
                request.path().container(),
                request.header(Headers.PARTITION_KEY),
                itemId(kind, request, body),
                body(kind, request, body),
                0,
                0,
                0,
                0,
                0,
                request.body().length,
                0,
                Duration.ZERO,
                request.region(),
                null,
                Objects.requireNonNullElse(request.header("User-Agent"), ""),
                Objects.requireNonNullElse(request.header("x-ms-cosmos-priority-level"), ""),
                request.header(Headers.PARTITION_KEY_RANGE));
    }

    static LoggedRequest withResponse(
            LoggedRequest request, WireResponse response, Duration took, @Nullable String fault) {
        return new LoggedRequest(
                request.sequence(),
                request.at(),
                request.operation(),
                request.method(),
                request.path(),
                request.container(),
                request.partitionKey(),
                request.itemId(),
                request.body(),
                response.status(),
                response.subStatus(),
                response.requestCharge(),
                response.itemCount(),
                response.itemsRead(),
                request.bytesIn(),
                response.body().length,
                took,
                request.region(),
                fault,
                request.userAgent(),
                request.priority(),
                request.keyRange());
    }

    private static @Nullable String itemId(
            RequestKind kind, WireRequest request, Function<WireRequest, JsonNode> body) {
        if (kind == RequestKind.ITEM_CREATE || kind == RequestKind.ITEM_UPSERT) {
            var id = body.apply(request).path("id");
            return id.isTextual() ? id.textValue() : null;
        }
        return request.path().child();
    }

    private static String body(RequestKind kind, WireRequest request, Function<WireRequest, JsonNode> body) {
        return switch (kind) {
            case QUERY, QUERY_PLAN -> body.apply(request).path("query").asText();
            case BATCH, BULK -> operations(body.apply(request));
            default -> "";
        };
    }

    private static String operations(JsonNode body) {
        var operations = new ArrayList<String>(body.size());
        for (var operation : body) {
            var id = operation.path("id").asText("");
            var name = operation.path("operationType").asText().toLowerCase(Locale.ROOT);
            operations.add(name + ":"
                    + (id.isEmpty() ? operation.path("resourceBody").path("id").asText() : id));
        }
        return String.join(",", operations);
    }

    /** The body, or nothing when it is not JSON: the handler will refuse it. */
    private static JsonNode json(WireRequest request) {
        try {
            return request.json();
        } catch (StatusException unreadable) {
            return MissingNode.getInstance();
        }
    }
}
