package io.sluice.relay.log;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.sluice.provider.TraceContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work as a span of OpenTelemetry. Only its API is used: without an agent or an SDK in the process it does
 * nothing. A span without a {@linkplain #recordOutcome recorded outcome} has failed. Belongs to the thread that began
 * it.
 */
public final class TraceSpan implements AutoCloseable {
    private static final String SCOPE = "io.sluice.relay";
    private static final TextMapGetter<Map<String, String>> HEADERS =
            (carrier, key) -> carrier == null ? null : carrier.get(key);

    private final Span span;
    private boolean ended;

    private TraceSpan(Span span) {
        this.span = span;
    }

    /**
     * Begins a span in a trace.
     *
     * @param asked the trace; null for a new one
     */
    public static TraceSpan begin(String name, SpanKind kind, @Nullable TraceContext asked) {
        return new TraceSpan(GlobalOpenTelemetry.getOrNoop()
                .getTracer(SCOPE)
                .spanBuilder(name)
                .setSpanKind(kind)
                .setParent(context(asked))
                .startSpan());
    }

    /** Begins a span in a new trace, with links to other traces. */
    public static TraceSpan beginFor(String name, SpanKind kind, List<TraceContext> asked) {
        var builder = GlobalOpenTelemetry.getOrNoop()
                .getTracer(SCOPE)
                .spanBuilder(name)
                .setSpanKind(kind)
                .setNoParent();
        asked.stream()
                .distinct()
                .map(TraceSpan::context)
                .forEach(context -> builder.addLink(Span.fromContext(context).getSpanContext()));
        return new TraceSpan(builder.startSpan());
    }

    private static Context context(@Nullable TraceContext asked) {
        if (asked == null) {
            return Context.root();
        }
        var state = asked.tracestate();
        Map<String, String> headers = state == null
                ? Map.of("traceparent", asked.traceparent())
                : Map.of("traceparent", asked.traceparent(), "tracestate", state);
        return W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS);
    }

    /** Adds a text attribute. */
    public TraceSpan with(String attribute, String value) {
        span.setAttribute(attribute, value);
        return this;
    }

    /** Adds a number attribute. */
    public TraceSpan with(String attribute, long value) {
        span.setAttribute(attribute, value);
        return this;
    }

    /** Records the outcome of work that did not fail. */
    public void recordOutcome(String outcome) {
        ended = true;
        span.setAttribute("sluice.outcome", outcome);
    }

    /** Ends the span. */
    @Override
    public void close() {
        if (!ended) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
