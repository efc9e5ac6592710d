package io.sluice.provider.history;

import io.sluice.provider.json.JsonFields;
import io.sluice.provider.json.Variant;
import io.sluice.provider.json.VariantTable;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The event kinds: the type text of each, and its fields in the order Rust writes them. */
final class EventKinds {
    private static final List<Variant<? extends EventKind>> ORCHESTRATIONS = List.of(
            row(
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
                    }),
            row(
                    "OrchestrationCompleted",
                    EventKind.OrchestrationCompleted.class,
                    f -> new EventKind.OrchestrationCompleted(f.string("output")),
                    (out, k) -> out.string("output", k.output())),
            row(
                    "OrchestrationFailed",
                    EventKind.OrchestrationFailed.class,
                    f -> new EventKind.OrchestrationFailed(ErrorDetailsJson.read(f.value("details"))),
                    (out, k) -> ErrorDetailsJson.write(out, "details", k.details())),
            row(
                    "OrchestrationChained",
                    EventKind.OrchestrationChained.class,
                    f -> new EventKind.OrchestrationChained(f.string("name"), f.string("instance"), f.string("input")),
                    (out, k) -> {
                        out.string("name", k.name());
                        out.string("instance", k.instance());
                        out.string("input", k.input());
                    }),
            row(
                    "SubOrchestrationScheduled",
                    EventKind.SubOrchestrationScheduled.class,
                    f -> new EventKind.SubOrchestrationScheduled(
                            f.string("name"), f.string("instance"), f.string("input")),
                    (out, k) -> {
                        out.string("name", k.name());
                        out.string("instance", k.instance());
                        out.string("input", k.input());
                    }),
            row(
                    "SubOrchestrationCompleted",
                    EventKind.SubOrchestrationCompleted.class,
                    f -> new EventKind.SubOrchestrationCompleted(f.string("result")),
                    (out, k) -> out.string("result", k.result())),
            row(
                    "SubOrchestrationFailed",
                    EventKind.SubOrchestrationFailed.class,
                    f -> new EventKind.SubOrchestrationFailed(ErrorDetailsJson.read(f.value("details"))),
                    (out, k) -> ErrorDetailsJson.write(out, "details", k.details())),
            row(
                    "SubOrchestrationCancelRequested",
                    EventKind.SubOrchestrationCancelRequested.class,
                    f -> new EventKind.SubOrchestrationCancelRequested(f.string("reason")),
                    (out, k) -> out.string("reason", k.reason())),
            row(
                    "OrchestrationContinuedAsNew",
                    EventKind.OrchestrationContinuedAsNew.class,
                    f -> new EventKind.OrchestrationContinuedAsNew(f.string("input")),
                    (out, k) -> out.string("input", k.input())),
            row(
                    "OrchestrationCancelRequested",
                    EventKind.OrchestrationCancelRequested.class,
                    f -> new EventKind.OrchestrationCancelRequested(f.string("reason")),
                    (out, k) -> out.string("reason", k.reason())));

    private static final List<Variant<? extends EventKind>> ACTIVITIES_AND_TIMERS = List.of(
            row(
                    "ActivityScheduled",
                    EventKind.ActivityScheduled.class,
                    f -> new EventKind.ActivityScheduled(
                            f.string("name"),
                            f.string("input"),
                            f.nullableString("session_id"),
                            f.nullableString("tag")),
                    (out, k) -> {
                        out.string("name", k.name());
                        out.string("input", k.input());
                        out.stringIfPresent("session_id", k.sessionId());
                        out.stringIfPresent("tag", k.tag());
                    }),
            row(
                    "ActivityCompleted",
                    EventKind.ActivityCompleted.class,
                    f -> new EventKind.ActivityCompleted(f.string("result")),
                    (out, k) -> out.string("result", k.result())),
            row(
                    "ActivityFailed",
                    EventKind.ActivityFailed.class,
                    f -> new EventKind.ActivityFailed(ErrorDetailsJson.read(f.value("details"))),
                    (out, k) -> ErrorDetailsJson.write(out, "details", k.details())),
            row(
                    "ActivityCancelRequested",
                    EventKind.ActivityCancelRequested.class,
                    f -> new EventKind.ActivityCancelRequested(f.string("reason")),
                    (out, k) -> out.string("reason", k.reason())),
            row(
                    "TimerCreated",
                    EventKind.TimerCreated.class,
                    f -> new EventKind.TimerCreated(f.u64("fire_at_ms")),
                    (out, k) -> out.u64("fire_at_ms", k.fireAtMillis())),
            row(
                    "TimerFired",
                    EventKind.TimerFired.class,
                    f -> new EventKind.TimerFired(f.u64("fire_at_ms")),
                    (out, k) -> out.u64("fire_at_ms", k.fireAtMillis())));

    private static final List<Variant<? extends EventKind>> EXTERNAL_EVENTS = List.of(
            row(
                    "ExternalSubscribed",
                    EventKind.ExternalSubscribed.class,
                    f -> new EventKind.ExternalSubscribed(f.string("name")),
                    (out, k) -> out.string("name", k.name())),
            row(
                    "ExternalEvent",
                    EventKind.ExternalEvent.class,
                    f -> new EventKind.ExternalEvent(f.string("name"), f.string("data")),
                    (out, k) -> {
                        out.string("name", k.name());
                        out.string("data", k.data());
                    }),
            row(
                    "ExternalSubscribedCancelled",
                    EventKind.ExternalSubscribedCancelled.class,
                    f -> new EventKind.ExternalSubscribedCancelled(f.string("reason")),
                    (out, k) -> out.string("reason", k.reason())),
            row(
                    "ExternalSubscribedPersistent",
                    EventKind.ExternalSubscribedPersistent.class,
                    f -> new EventKind.ExternalSubscribedPersistent(f.string("name")),
                    (out, k) -> out.string("name", k.name())),
            row(
                    "ExternalEventPersistent",
                    EventKind.ExternalEventPersistent.class,
                    f -> new EventKind.ExternalEventPersistent(f.string("name"), f.string("data")),
                    (out, k) -> {
                        out.string("name", k.name());
                        out.string("data", k.data());
                    }),
            row(
                    "ExternalSubscribedPersistentCancelled",
                    EventKind.ExternalSubscribedPersistentCancelled.class,
                    f -> new EventKind.ExternalSubscribedPersistentCancelled(f.string("reason")),
                    (out, k) -> out.string("reason", k.reason())));

    private static final List<Variant<? extends EventKind>> STATE = List.of(
            row(
                    "CustomStatusUpdated",
                    EventKind.CustomStatusUpdated.class,
                    f -> new EventKind.CustomStatusUpdated(f.nullableString("status")),
                    (out, k) -> out.stringOrNull("status", k.status())),
            row(
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
                    }),
            row(
                    "KeyValueCleared",
                    EventKind.KeyValueCleared.class,
                    f -> new EventKind.KeyValueCleared(f.string("key")),
                    (out, k) -> out.string("key", k.key())),
            row(
                    "KeyValuesCleared",
                    EventKind.KeyValuesCleared.class,
                    f -> new EventKind.KeyValuesCleared(),
                    (out, k) -> {}));

    /** All of them, by type. */
    static final VariantTable<EventKind> TABLE =
            new VariantTable<>(Stream.of(ORCHESTRATIONS, ACTIVITIES_AND_TIMERS, EXTERNAL_EVENTS, STATE)
                    .flatMap(Collection::stream)
                    .toList());

    private EventKinds() {}

    /** An event's fields stand among the common ones, never in an array, so their order for reading does not matter. */
    private static <K extends EventKind> Variant<K> row(
            String type, Class<K> recordClass, Function<JsonFields, K> reader, Variant.Writer<K> writer) {
        return new Variant<>(type, recordClass, List.of(), reader, writer);
    }
}
