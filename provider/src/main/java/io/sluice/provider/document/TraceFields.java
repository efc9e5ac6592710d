package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.TraceContext;
import org.jspecify.annotations.Nullable;

/** The trace context of a document, in two optional fields of our own. */
final class TraceFields {
    private static final String TRACEPARENT = "traceparent";
    private static final String TRACESTATE = "tracestate";

    private TraceFields() {}

    static @Nullable TraceContext in(JsonNode json) {
        return TraceContext.parse(DocumentJson.textIfAny(json, TRACEPARENT), DocumentJson.textIfAny(json, TRACESTATE))
                .orElse(null);
    }

    static void put(ObjectNode json, @Nullable TraceContext trace) {
        if (trace != null) {
            json.put(TRACEPARENT, trace.traceparent());
            if (trace.tracestate() != null) {
                json.put(TRACESTATE, trace.tracestate());
            }
        }
    }
}
