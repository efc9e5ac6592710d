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
                    "whose store it is: `cosmos://<host of COSMOS_ENDPOINT>/<database>/<container>`; with `ce_id` unique in the world"),
            always("ce_type", Form.TEXT, "what it is; decides the form of the value"),
            when("ce_subject", Form.TEXT, "the record tells of an instance", "the instance id"),
            always("ce_time", Form.TIME, "when it happened, by the runtime's clock, within the years 1 to 9999"),
            when(
                    "ce_partitionkey",
                    Form.TEXT,
                    "the record tells of an instance",
                    "the record's key once more, by CloudEvents' partitioning extension"),
            always("content-type", Form.TEXT, "`application/json`"));

    /**
     * The trace of the work that caused a record, both as Kafka's instrumentation and as CloudEvents' tracing extension
     * look for it.
     */
    static final List<TopicHeader> TRACE = List.of(
            when(
                    "traceparent",
                    Form.TRACEPARENT,
                    "the work that caused it came in a trace",
                    "W3C trace context, as Kafka's instrumentation looks for it"),
            when("tracestate", Form.TEXT, "likewise, and a vendor added something", "what vendors add to it"),
            when(
                    "ce_traceparent",
                    Form.TRACEPARENT,
                    "with `traceparent`",
                    "the same, by CloudEvents' distributed tracing extension"),
            when("ce_tracestate", Form.TEXT, "with `tracestate`", "the same"));

    /** The metadata of a dispatch, on what tells of an event of an instance. */
    static List<TopicHeader> dispatch(String when) {
        return List.of(
                when(DispatchMetadata.CORRELATION_ID, Form.TEXT, when, "what it is part of"),
                when(DispatchMetadata.EXECUTION_ID, Form.TEXT, when, "`<source instance>:<execution>`"),
                when(DispatchMetadata.IDEMPOTENCY_KEY, Form.TEXT, when, "the same whoever repeats it"),
                when(
                        DispatchMetadata.RETRY_ATTEMPT,
                        Form.NUMBER,
                        when,
                        "how often the store had refused it before; 0 on events"),
                when(
                        DispatchMetadata.DISPATCHED_AT,
                        Form.MILLIS,
                        when,
                        "when the dispatch began, or the event was made"));
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
