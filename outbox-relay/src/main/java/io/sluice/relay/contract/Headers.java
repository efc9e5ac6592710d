package io.sluice.relay.contract;

import static io.sluice.relay.contract.TopicHeader.always;
import static io.sluice.relay.contract.TopicHeader.when;

import io.sluice.provider.outbox.DispatchMetadata;
import io.sluice.relay.contract.TopicHeader.Form;
import java.util.ArrayList;
import java.util.List;

/** Headers that several topics have in common. */
final class Headers {
    /** The attributes of a CloudEvent in binary mode. */
    static final List<TopicHeader> CLOUD_EVENT = List.of(
            always("ce_specversion", Form.TEXT, "`1.0`"),
            always("ce_id", Form.TEXT, "the record's identity, see above"),
            always(
                    "ce_source",
                    Form.TEXT,
                    "the store: `cosmos://<host of COSMOS_ENDPOINT>/<database>/<container>`; globally unique together with `ce_id`"),
            always("ce_type", Form.TEXT, "the type of the record, which determines the form of the value"),
            when("ce_subject", Form.TEXT, "the record is about an instance", "the instance id"),
            always("ce_time", Form.TIME, "when it happened, by the runtime's clock, within the years 1 to 9999"),
            when(
                    "ce_partitionkey",
                    Form.TEXT,
                    "the record is about an instance",
                    "the record's key, for CloudEvents' partitioning extension"),
            always("content-type", Form.TEXT, "`application/json`"));

    /**
     * The trace of the work that caused a record: for Kafka's instrumentation, and for CloudEvents' tracing extension.
     */
    static final List<TopicHeader> TRACE = List.of(
            when(
                    "traceparent",
                    Form.TRACEPARENT,
                    "the work that caused it belongs to a trace",
                    "W3C trace context, where Kafka's instrumentation expects it"),
            when("tracestate", Form.TEXT, "with `traceparent`, if it has vendor data", "vendor data of the trace"),
            when(
                    "ce_traceparent",
                    Form.TRACEPARENT,
                    "with `traceparent`",
                    "the same, for CloudEvents' distributed tracing extension"),
            when("ce_tracestate", Form.TEXT, "with `tracestate`", "the same"));

    /** The metadata of a dispatch. */
    static List<TopicHeader> dispatch(String when) {
        return List.of(
                when(DispatchMetadata.CORRELATION_ID, Form.TEXT, when, "the business transaction it belongs to"),
                when(DispatchMetadata.EXECUTION_ID, Form.TEXT, when, "`<source instance>:<execution>`"),
                when(DispatchMetadata.IDEMPOTENCY_KEY, Form.TEXT, when, "the same in every repetition"),
                when(
                        DispatchMetadata.RETRY_ATTEMPT,
                        Form.NUMBER,
                        when,
                        "number of earlier attempts that the store refused; 0 for events"),
                when(
                        DispatchMetadata.DISPATCHED_AT,
                        Form.MILLIS,
                        when,
                        "when the dispatch began, or the event was created"));
    }

    private Headers() {}

    /** Several lists as one. */
    @SafeVarargs
    static List<TopicHeader> all(List<TopicHeader>... lists) {
        List<TopicHeader> all = new ArrayList<>();
        for (List<TopicHeader> list : lists) {
            all.addAll(list);
        }
        return List.copyOf(all);
    }
}
