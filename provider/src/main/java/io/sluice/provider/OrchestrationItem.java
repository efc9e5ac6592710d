package io.sluice.provider;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatcher needs to run one turn.
 *
 * @param orchestrationName stored name, else the one in the start message
 * @param executionId stored current execution; 1 for a new instance
 * @param version stored version, else the one in the start message, else {@code unknown}
 * @param history events of that execution by ascending id; empty for a new instance and when {@code historyError} is
 *     set
 * @param messages all messages visible at the fetch, in FIFO order
 * @param historyError why the history could not be decoded; null when it could
 * @param kvSnapshot key values committed by finished executions
 */
public record OrchestrationItem(
        String instance,
        String orchestrationName,
        long executionId,
        String version,
        List<HistoryEvent> history,
        List<WorkItem> messages,
        @Nullable String historyError,
        Map<String, KvEntry> kvSnapshot) {
    public OrchestrationItem {
        Objects.requireNonNull(instance, "instance");
        history = List.copyOf(history);
        messages = List.copyOf(messages);
        kvSnapshot = Collections.unmodifiableMap(new LinkedHashMap<>(kvSnapshot));
    }
}
