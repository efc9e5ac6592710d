package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a dispatcher gets of an instance, and its document as its messages name it. Pure. */
final class FetchedItem {
    private static final String UNKNOWN_VERSION = "unknown";

    private FetchedItem() {}

    /** The document of an instance that is met for the first time. */
    static InstanceDocument skeleton(String instanceId, List<WorkItem> items, long nowMillis) {
        Messages.@Nullable Start start = Messages.start(items);
        String name = start == null ? "" : start.name();
        String version = start == null || start.version() == null ? "" : start.version();
        return InstanceDocument.skeleton(instanceId, name, version, nowMillis);
    }

    /**
     * The instance with the name and version that its start gives it, where it was locked before its start was read.
     */
    static InstanceDocument named(InstanceDocument instance, List<WorkItem> items) {
        Messages.@Nullable Start start = Messages.start(items);
        return start == null || !instance.orchestrationName().isEmpty()
                ? instance
                : instance.named(start.name(), start.version() == null ? "" : start.version());
    }

    /** What the dispatcher gets. Name and version: as stored, else from the messages, else from the history. */
    static OrchestrationItem item(
            InstanceDocument instance, List<WorkItem> items, Histories.Decoded history, KeyValues keyValues) {
        Messages.@Nullable Start start = Messages.start(items);
        if (start == null) {
            start = started(history.events());
        }
        String name = instance.orchestrationName();
        String version = instance.orchestrationVersion();
        if (name.isEmpty() && start != null) {
            name = start.name();
        }
        if (version.isEmpty()) {
            version = start == null || start.version() == null ? UNKNOWN_VERSION : start.version();
        }
        return new OrchestrationItem(
                instance.instanceId(),
                name,
                instance.currentExecutionId(),
                version,
                history.events(),
                items,
                history.error(),
                keyValues.snapshot());
    }

    private static Messages.@Nullable Start started(List<HistoryEvent> history) {
        for (HistoryEvent event : history) {
            if (event.kind() instanceof EventKind.OrchestrationStarted started) {
                return new Messages.Start(started.name(), started.version());
            }
        }
        return null;
    }
}
