package io.sluice.provider.model;

import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.model.Model.Beginning;
import io.sluice.provider.model.Model.Instance;
import io.sluice.provider.model.Model.Message;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a fetched turn tells of its instance. */
final class FetchedTurn {
    private FetchedTurn() {}

    static OrchestrationItem item(
            String id, @Nullable Instance instance, @Nullable Beginning beginning, List<Message> batch) {
        var messages = batch.stream().map(message -> message.item).toList();
        var name = beginning == null ? "" : beginning.name();
        var version = beginning == null || beginning.version() == null ? "unknown" : beginning.version();
        if (instance == null) {
            return new OrchestrationItem(id, name, 1, version, List.of(), messages, null, Map.of());
        }
        var execution = instance.execution();
        var history = execution.corrupt ? List.<HistoryEvent>of() : List.copyOf(execution.events.values());
        return new OrchestrationItem(
                id,
                instance.name.isEmpty() ? nameIn(history, name) : instance.name,
                instance.current,
                instance.version.isEmpty() ? version : instance.version,
                history,
                messages,
                execution.corrupt ? "it can't be decoded" : null,
                instance.values);
    }

    private static String nameIn(List<HistoryEvent> history, String otherwise) {
        return !history.isEmpty() && history.get(0).kind() instanceof EventKind.OrchestrationStarted started
                ? started.name()
                : otherwise;
    }
}
