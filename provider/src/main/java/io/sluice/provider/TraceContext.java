package io.sluice.provider;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in a distributed trace something belongs, as W3C Trace Context writes it.
 *
 * @param traceparent version, trace id, parent id and flags
 * @param tracestate what vendors add; null for nothing
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {
    private static final Pattern TRACEPARENT = Pattern.compile(
            "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[!-~]{1,200})?");
    private static final Pattern TRACESTATE = Pattern.compile("[ -~\\t]{1,512}");

    public TraceContext {
        if (!TRACEPARENT.matcher(traceparent).matches()) {
            throw new IllegalArgumentException("traceparent must be as W3C Trace Context says, was '" + traceparent
                    + "'; for example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        }
        if (tracestate != null && !TRACESTATE.matcher(tracestate).matches()) {
            throw new IllegalArgumentException(
                    "tracestate must be 1 to 512 printable characters of ASCII, was '" + tracestate + "'");
        }
    }

    /**
     * Reads what strangers sent: a traceparent that is malformed is no trace, a tracestate that is malformed is left
     * out, as the recommendation asks.
     */
    public static Optional<TraceContext> parse(@Nullable String traceparent, @Nullable String tracestate) {
        if (traceparent == null || !TRACEPARENT.matcher(traceparent).matches()) {
            return Optional.empty();
        }
        boolean usable = tracestate != null && TRACESTATE.matcher(tracestate).matches();
        return Optional.of(new TraceContext(traceparent, usable ? tracestate : null));
    }
}
