package io.sluice.provider.work;

import io.sluice.provider.history.CarriedEventsJson;
import io.sluice.provider.history.ErrorDetailsJson;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.json.JsonFields;
import io.sluice.provider.json.Variant;
import io.sluice.provider.json.VariantTable;
import java.util.List;
import java.util.function.Function;

/** The work items: the name of each, and its fields in the order Rust writes them, unknown ones last. */
final class WorkItems {
    /** All of them, by variant. */
    static final VariantTable<WorkItem> TABLE = new VariantTable<>(List.of(
            row(
                    "StartOrchestration",
                    WorkItem.StartOrchestration.class,
                    List.of(
                            "instance",
                            "orchestration",
                            "input",
                            "version",
                            "parent_instance",
                            "parent_id",
                            "parent_execution_id",
                            "execution_id"),
                    f -> new WorkItem.StartOrchestration(
                            f.string("instance"),
                            f.string("orchestration"),
                            f.string("input"),
                            f.nullableString("version"),
                            f.nullableString("parent_instance"),
                            f.nullableU64("parent_id"),
                            f.nullableU64("parent_execution_id"),
                            f.u64("execution_id"),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.string("orchestration", k.orchestration());
                        out.string("input", k.input());
                        out.stringOrNull("version", k.version());
                        out.stringOrNull("parent_instance", k.parentInstance());
                        out.u64OrNull("parent_id", k.parentId());
                        out.u64IfPresent("parent_execution_id", k.parentExecutionId());
                        out.u64("execution_id", k.executionId());
                    }),
            row(
                    "ActivityExecute",
                    WorkItem.ActivityExecute.class,
                    List.of("instance", "execution_id", "id", "name", "input", "session_id", "tag"),
                    f -> new WorkItem.ActivityExecute(
                            f.string("instance"),
                            f.u64("execution_id"),
                            f.u64("id"),
                            f.string("name"),
                            f.string("input"),
                            f.nullableString("session_id"),
                            f.nullableString("tag"),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.u64("execution_id", k.executionId());
                        out.u64("id", k.id());
                        out.string("name", k.name());
                        out.string("input", k.input());
                        out.stringIfPresent("session_id", k.sessionId());
                        out.stringIfPresent("tag", k.tag());
                    }),
            row(
                    "ActivityCompleted",
                    WorkItem.ActivityCompleted.class,
                    List.of("instance", "execution_id", "id", "result"),
                    f -> new WorkItem.ActivityCompleted(
                            f.string("instance"),
                            f.u64("execution_id"),
                            f.u64("id"),
                            f.string("result"),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.u64("execution_id", k.executionId());
                        out.u64("id", k.id());
                        out.string("result", k.result());
                    }),
            row(
                    "ActivityFailed",
                    WorkItem.ActivityFailed.class,
                    List.of("instance", "execution_id", "id", "details"),
                    f -> new WorkItem.ActivityFailed(
                            f.string("instance"),
                            f.u64("execution_id"),
                            f.u64("id"),
                            ErrorDetailsJson.read(f.value("details")),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.u64("execution_id", k.executionId());
                        out.u64("id", k.id());
                        ErrorDetailsJson.write(out, "details", k.details());
                    }),
            row(
                    "TimerFired",
                    WorkItem.TimerFired.class,
                    List.of("instance", "execution_id", "id", "fire_at_ms"),
                    f -> new WorkItem.TimerFired(
                            f.string("instance"),
                            f.u64("execution_id"),
                            f.u64("id"),
                            f.u64("fire_at_ms"),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.u64("execution_id", k.executionId());
                        out.u64("id", k.id());
                        out.u64("fire_at_ms", k.fireAtMillis());
                    }),
            row(
                    "ExternalRaised",
                    WorkItem.ExternalRaised.class,
                    List.of("instance", "name", "data"),
                    f -> new WorkItem.ExternalRaised(
                            f.string("instance"), f.string("name"), f.string("data"), ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.string("name", k.name());
                        out.string("data", k.data());
                    }),
            row(
                    "SubOrchCompleted",
                    WorkItem.SubOrchCompleted.class,
                    List.of("parent_instance", "parent_execution_id", "parent_id", "result"),
                    f -> new WorkItem.SubOrchCompleted(
                            f.string("parent_instance"),
                            f.u64("parent_execution_id"),
                            f.u64("parent_id"),
                            f.string("result"),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("parent_instance", k.parentInstance());
                        out.u64("parent_execution_id", k.parentExecutionId());
                        out.u64("parent_id", k.parentId());
                        out.string("result", k.result());
                    }),
            row(
                    "SubOrchFailed",
                    WorkItem.SubOrchFailed.class,
                    List.of("parent_instance", "parent_execution_id", "parent_id", "details"),
                    f -> new WorkItem.SubOrchFailed(
                            f.string("parent_instance"),
                            f.u64("parent_execution_id"),
                            f.u64("parent_id"),
                            ErrorDetailsJson.read(f.value("details")),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("parent_instance", k.parentInstance());
                        out.u64("parent_execution_id", k.parentExecutionId());
                        out.u64("parent_id", k.parentId());
                        ErrorDetailsJson.write(out, "details", k.details());
                    }),
            row(
                    "CancelInstance",
                    WorkItem.CancelInstance.class,
                    List.of("instance", "reason"),
                    f -> new WorkItem.CancelInstance(
                            f.string("instance"), f.string("reason"), ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.string("reason", k.reason());
                    }),
            row(
                    "ContinueAsNew",
                    WorkItem.ContinueAsNew.class,
                    List.of(
                            "instance",
                            "orchestration",
                            "input",
                            "version",
                            "parent_instance",
                            "parent_id",
                            "parent_execution_id",
                            "carry_forward_events",
                            "initial_custom_status"),
                    f -> new WorkItem.ContinueAsNew(
                            f.string("instance"),
                            f.string("orchestration"),
                            f.string("input"),
                            f.nullableString("version"),
                            f.nullableString("parent_instance"),
                            f.nullableU64("parent_id"),
                            f.nullableU64("parent_execution_id"),
                            CarriedEventsJson.readOrEmpty(f, "carry_forward_events"),
                            f.nullableString("initial_custom_status"),
                            ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.string("orchestration", k.orchestration());
                        out.string("input", k.input());
                        out.stringOrNull("version", k.version());
                        out.stringIfPresent("parent_instance", k.parentInstance());
                        out.u64IfPresent("parent_id", k.parentId());
                        out.u64IfPresent("parent_execution_id", k.parentExecutionId());
                        CarriedEventsJson.write(out, "carry_forward_events", k.carryForwardEvents());
                        out.stringIfPresent("initial_custom_status", k.initialCustomStatus());
                    }),
            row(
                    "QueueMessage",
                    WorkItem.QueueMessage.class,
                    List.of("instance", "name", "data"),
                    f -> new WorkItem.QueueMessage(
                            f.string("instance"), f.string("name"), f.string("data"), ExtraFields.of(f.rest())),
                    (out, k) -> {
                        out.string("instance", k.instance());
                        out.string("name", k.name());
                        out.string("data", k.data());
                    })));

    private WorkItems() {}

    private static <W extends WorkItem> Variant<W> row(
            String variant,
            Class<W> recordClass,
            List<String> order,
            Function<JsonFields, W> reader,
            Variant.Writer<W> writer) {
        return new Variant<>(variant, recordClass, order, reader, (out, item) -> {
            writer.write(out, item);
            item.extras().writeTo(out);
        });
    }
}
