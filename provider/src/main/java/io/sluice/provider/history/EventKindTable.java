package io.sluice.provider.history;

import io.sluice.provider.json.JsonFields;
import io.sluice.provider.json.JsonOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The one list of event kinds: the type text of each, and its fields in the order Rust writes them. */
final class EventKindTable {
    private static final Map<String, Row<?>> BY_TYPE = new HashMap<>();
    private static final Map<Class<?>, Row<?>> BY_CLASS = new HashMap<>();

    static {
        kind(
                "OrchestrationStarted",
                EventKind.OrchestrationStarted.class,
                f -> new EventKind.OrchestrationStarted(
                        f.string("name"),
                        f.string("version"),
                        f.string("input"),
                        f.nullableString("parent_instance"),
                        f.nullableU64("parent_id"),
                        f.nullableU64("parent_execution_id"),
                        CarriedEventsJson.readNullable(f, "carry_forward_events"),
                        f.nullableString("initial_custom_status")),
                (out, k) -> {
                    out.string("name", k.name());
                    out.string("version", k.version());
                    out.string("input", k.input());
                    out.stringOrNull("parent_instance", k.parentInstance());
                    out.u64OrNull("parent_id", k.parentId());
                    out.u64IfPresent("parent_execution_id", k.parentExecutionId());
                    CarriedEventsJson.writeIfPresent(out, "carry_forward_events", k.carryForwardEvents());
                    out.stringIfPresent("initial_custom_status", k.initialCustomStatus());
                });
        kind(
                "OrchestrationCompleted",
                EventKind.OrchestrationCompleted.class,
                f -> new EventKind.OrchestrationCompleted(f.string("output")),
                (out, k) -> out.string("output", k.output()));
        kind(
                "OrchestrationFailed",
                EventKind.OrchestrationFailed.class,
                f -> new EventKind.OrchestrationFailed(ErrorDetailsJson.read(f.value("details"))),
                (out, k) -> ErrorDetailsJson.write(out, "details", k.details()));
        kind(
                "ActivityScheduled",
                EventKind.ActivityScheduled.class,
                f -> new EventKind.ActivityScheduled(
                        f.string("name"), f.string("input"), f.nullableString("session_id"), f.nullableString("tag")),
                (out, k) -> {
                    out.string("name", k.name());
                    out.string("input", k.input());
                    out.stringIfPresent("session_id", k.sessionId());
                    out.stringIfPresent("tag", k.tag());
                });
        kind(
                "ActivityCompleted",
                EventKind.ActivityCompleted.class,
                f -> new EventKind.ActivityCompleted(f.string("result")),
                (out, k) -> out.string("result", k.result()));
        kind(
                "ActivityFailed",
                EventKind.ActivityFailed.class,
                f -> new EventKind.ActivityFailed(ErrorDetailsJson.read(f.value("details"))),
                (out, k) -> ErrorDetailsJson.write(out, "details", k.details()));
        kind(
                "ActivityCancelRequested",
                EventKind.ActivityCancelRequested.class,
                f -> new EventKind.ActivityCancelRequested(f.string("reason")),
                (out, k) -> out.string("reason", k.reason()));
        kind(
                "TimerCreated",
                EventKind.TimerCreated.class,
                f -> new EventKind.TimerCreated(f.u64("fire_at_ms")),
                (out, k) -> out.u64("fire_at_ms", k.fireAtMillis()));
        kind(
                "TimerFired",
                EventKind.TimerFired.class,
                f -> new EventKind.TimerFired(f.u64("fire_at_ms")),
                (out, k) -> out.u64("fire_at_ms", k.fireAtMillis()));
        kind(
                "ExternalSubscribed",
                EventKind.ExternalSubscribed.class,
                f -> new EventKind.ExternalSubscribed(f.string("name")),
                (out, k) -> out.string("name", k.name()));
        kind(
                "ExternalEvent",
                EventKind.ExternalEvent.class,
                f -> new EventKind.ExternalEvent(f.string("name"), f.string("data")),
                (out, k) -> {
                    out.string("name", k.name());
                    out.string("data", k.data());
                });
        kind(
                "OrchestrationChained",
                EventKind.OrchestrationChained.class,
                f -> new EventKind.OrchestrationChained(f.string("name"), f.string("instance"), f.string("input")),
                (out, k) -> {
                    out.string("name", k.name());
                    out.string("instance", k.instance());
                    out.string("input", k.input());
                });
        kind(
                "SubOrchestrationScheduled",
                EventKind.SubOrchestrationScheduled.class,
                f -> new EventKind.SubOrchestrationScheduled(f.string("name"), f.string("instance"), f.string("input")),
                (out, k) -> {
                    out.string("name", k.name());
                    out.string("instance", k.instance());
                    out.string("input", k.input());
                });
        kind(
                "SubOrchestrationCompleted",
                EventKind.SubOrchestrationCompleted.class,
                f -> new EventKind.SubOrchestrationCompleted(f.string("result")),
                (out, k) -> out.string("result", k.result()));
        kind(
                "SubOrchestrationFailed",
                EventKind.SubOrchestrationFailed.class,
                f -> new EventKind.SubOrchestrationFailed(ErrorDetailsJson.read(f.value("details"))),
                (out, k) -> ErrorDetailsJson.write(out, "details", k.details()));
        kind(
                "SubOrchestrationCancelRequested",
                EventKind.SubOrchestrationCancelRequested.class,
                f -> new EventKind.SubOrchestrationCancelRequested(f.string("reason")),
                (out, k) -> out.string("reason", k.reason()));
        kind(
                "OrchestrationContinuedAsNew",
                EventKind.OrchestrationContinuedAsNew.class,
                f -> new EventKind.OrchestrationContinuedAsNew(f.string("input")),
                (out, k) -> out.string("input", k.input()));
        kind(
                "OrchestrationCancelRequested",
                EventKind.OrchestrationCancelRequested.class,
                f -> new EventKind.OrchestrationCancelRequested(f.string("reason")),
                (out, k) -> out.string("reason", k.reason()));
        kind(
                "ExternalSubscribedCancelled",
                EventKind.ExternalSubscribedCancelled.class,
                f -> new EventKind.ExternalSubscribedCancelled(f.string("reason")),
                (out, k) -> out.string("reason", k.reason()));
        kind(
                "ExternalSubscribedPersistent",
                EventKind.ExternalSubscribedPersistent.class,
                f -> new EventKind.ExternalSubscribedPersistent(f.string("name")),
                (out, k) -> out.string("name", k.name()));
        kind(
                "ExternalEventPersistent",
                EventKind.ExternalEventPersistent.class,
                f -> new EventKind.ExternalEventPersistent(f.string("name"), f.string("data")),
                (out, k) -> {
                    out.string("name", k.name());
                    out.string("data", k.data());
                });
        kind(
                "ExternalSubscribedPersistentCancelled",
                EventKind.ExternalSubscribedPersistentCancelled.class,
                f -> new EventKind.ExternalSubscribedPersistentCancelled(f.string("reason")),
                (out, k) -> out.string("reason", k.reason()));
        kind(
                "CustomStatusUpdated",
                EventKind.CustomStatusUpdated.class,
                f -> new EventKind.CustomStatusUpdated(f.nullableString("status")),
                (out, k) -> out.stringOrNull("status", k.status()));
        kind(
                "KeyValueSet",
                EventKind.KeyValueSet.class,
                f -> new EventKind.KeyValueSet(
                        f.string("key"),
                        f.string("value"),
                        f.has("last_updated_at_ms") ? f.u64("last_updated_at_ms") : 0),
                (out, k) -> {
                    out.string("key", k.key());
                    out.string("value", k.value());
                    out.u64("last_updated_at_ms", k.lastUpdatedAtMillis());
                });
        kind(
                "KeyValueCleared",
                EventKind.KeyValueCleared.class,
                f -> new EventKind.KeyValueCleared(f.string("key")),
                (out, k) -> out.string("key", k.key()));
        kind(
                "KeyValuesCleared",
                EventKind.KeyValuesCleared.class,
                f -> new EventKind.KeyValuesCleared(),
                (out, k) -> {});
    }

    private EventKindTable() {}

    /** The type text of a kind. */
    static String type(EventKind kind) {
        return row(kind).type();
    }

    /** Reads the fields of a kind; null when the type is unknown. */
    static @Nullable EventKind read(String type, JsonFields fields) {
        Row<?> row = BY_TYPE.get(type);
        return row == null ? null : row.reader().apply(fields);
    }

    /** Writes the fields of a kind, without its type. */
    static void write(JsonOutput out, EventKind kind) throws IOException {
        row(kind).writeKind(out, kind);
    }

    private static Row<?> row(EventKind kind) {
        Row<?> row = BY_CLASS.get(kind.getClass());
        if (row == null) {
            throw new AssertionError("kind is missing in the table: " + kind.getClass());
        }
        return row;
    }

    private static <K extends EventKind> void kind(
            String type, Class<K> recordClass, Function<JsonFields, K> reader, Writer<K> writer) {
        Row<K> row = new Row<>(type, recordClass, reader, writer);
        BY_TYPE.put(type, row);
        BY_CLASS.put(recordClass, row);
    }

    @FunctionalInterface
    private interface Writer<K> {
        void write(JsonOutput out, K kind) throws IOException;
    }

    private record Row<K extends EventKind>(
            String type, Class<K> recordClass, Function<JsonFields, K> reader, Writer<K> writer) {
        void writeKind(JsonOutput out, EventKind kind) throws IOException {
            writer.write(out, recordClass.cast(kind));
        }
    }
}
