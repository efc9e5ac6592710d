package io.sluice.provider.model;

import io.sluice.provider.KvEntry;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.model.Model.Beginning;
import io.sluice.provider.model.Model.Execution;
import io.sluice.provider.model.Model.Instance;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the ack of a turn makes of its instance. */
final class AckedTurn {
    private static final Set<String> ENDS = Set.of("Completed", "Failed", "ContinuedAsNew");

    private AckedTurn() {}

    /**
     * Does it.
     *
     * @param beginning the message that began the instance, when it is created
     */
    static void apply(TurnAck ack, Instance instance, @Nullable Beginning beginning, boolean created, long now) {
        var metadata = ack.metadata();
        if (beginning != null) {
            instance.name = beginning.name();
            instance.version = beginning.version() == null ? "" : beginning.version();
        }
        if (metadata.orchestrationName() != null) {
            instance.name = metadata.orchestrationName();
        }
        if (metadata.orchestrationVersion() != null) {
            instance.version = metadata.orchestrationVersion();
        }
        if (created) {
            instance.parent = metadata.parentInstanceId();
        }
        if (metadata.ext() != null && ack.executionId() >= instance.current) {
            instance.ext = metadata.ext();
        }
        instance.current = Math.max(instance.current, ack.executionId());
        var execution = instance.executions.computeIfAbsent(ack.executionId(), id -> new Execution(now));
        ack.historyDelta().forEach(event -> execution.events.put(event.eventId(), event));
        if (metadata.pinnedDuroxideVersion() != null) {
            execution.pinned = metadata.pinnedDuroxideVersion();
        }
        boolean statusChanged = false;
        for (var event : ack.historyDelta()) {
            if (event.kind() instanceof EventKind.CustomStatusUpdated updated) {
                instance.customStatus = updated.status();
                statusChanged = true;
            }
            change(instance, event);
        }
        instance.customStatusVersion += statusChanged ? 1 : 0;
        var status = metadata.status();
        if (status != null) {
            execution.status = status;
            execution.output = metadata.output();
            if (ENDS.contains(status)) {
                execution.completedAt = now;
                settle(instance);
            }
        }
        instance.updatedAt = now;
    }

    private static void change(Instance instance, HistoryEvent event) {
        if (event.kind() instanceof EventKind.KeyValueSet set) {
            instance.changes.put(set.key(), Optional.of(new KvEntry(set.value(), set.lastUpdatedAtMillis())));
        } else if (event.kind() instanceof EventKind.KeyValueCleared cleared) {
            instance.changes.put(cleared.key(), Optional.empty());
        } else if (event.kind() instanceof EventKind.KeyValuesCleared) {
            instance.changes.replaceAll((key, entry) -> Optional.empty());
            instance.values.keySet().forEach(key -> instance.changes.put(key, Optional.empty()));
        }
    }

    private static void settle(Instance instance) {
        instance.changes.forEach((key, entry) -> {
            if (entry.isPresent()) {
                instance.values.put(key, entry.get());
            } else {
                instance.values.remove(key);
            }
        });
        instance.changes.clear();
    }
}
