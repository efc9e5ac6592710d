package io.sluice.provider.cosmos.turn;

import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.request.OperationCost;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a turn's messages say about their instance. */
final class Messages {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Messages.class));
    private static final String UNDECODABLE = "a message can't be decoded and is left out of the turn";
    private static final String UNKNOWN_VERSION = "unknown";

    private Messages() {}

    /** How the work items begin that begin an execution; every writer of the store writes the kind first. */
    private static final String START = "{\"StartOrchestration\"";

    static final List<String> STARTS = List.of(START, "{\"ContinueAsNew\"");

    /** The condition that a queue document holds a message that begins an execution. */
    static final String IS_START = STARTS.stream()
            .map(start -> "STARTSWITH(c.workItem, '" + start + "')")
            .collect(Collectors.joining(" OR ", "(", ")"));

    /** Name and version as a start message gives them. */
    record Start(String name, @Nullable String version) {}

    /**
     * The work items in order. One that can't be decoded is left out, as the contract has it; the ack removes it with
     * the others.
     */
    static List<WorkItem> decode(List<QueueDocument> messages) {
        List<WorkItem> items = new ArrayList<>(messages.size());
        for (QueueDocument message : messages) {
            try {
                items.add(WorkItemJson.decode(message.workItem()));
            } catch (DecodingException e) {
                // Every read of the instance decodes it again.
                if (MALFORMED.log(message.instanceId(), message.id(), "", UNDECODABLE, e)) {
                    OperationCost.malformed();
                }
            }
        }
        return items;
    }

    /** Whether the message begins an execution; found out without decoding it. */
    static boolean isStart(QueueDocument message) {
        return STARTS.stream().anyMatch(message.workItem()::startsWith);
    }

    /** Whether it begins the first execution of its instance. */
    static boolean isFirst(QueueDocument message) {
        return message.workItem().startsWith(START);
    }

    /** Id of the newest message that begins an execution; null when there is none. */
    static @Nullable String newestStart(List<QueueDocument> messages) {
        return messages.stream()
                .filter(Messages::isStart)
                .map(QueueDocument::id)
                .max(String::compareTo)
                .orElse(null);
    }

    /** The first start, or null. */
    static @Nullable Start start(List<WorkItem> items) {
        for (WorkItem item : items) {
            if (item instanceof WorkItem.StartOrchestration start) {
                return new Start(start.orchestration(), start.version());
            }
            if (item instanceof WorkItem.ContinueAsNew next) {
                return new Start(next.orchestration(), next.version());
            }
        }
        return null;
    }

    /**
     * Whether the next turn runs what a message begins, rather than what the document of the instance says: one that is
     * not stored or has no name begins with it, and one that has ended goes on with it.
     */
    static boolean beginsAnother(@Nullable InstanceDocument head, List<QueueDocument> messages) {
        boolean runs = head != null
                && !head.orchestrationName().isEmpty()
                && head.status().equals(InstanceDocument.RUNNING);
        return !runs && messages.stream().anyMatch(Messages::isStart);
    }

    /** The first start among messages; null when there is none, or its message is cut. */
    static @Nullable Start firstStart(List<QueueDocument> messages) {
        for (QueueDocument message : messages) {
            if (isStart(message)) {
                try {
                    return start(List.of(WorkItemJson.decode(message.workItem())));
                } catch (DecodingException e) {
                    return null;
                }
            }
        }
        return null;
    }

    /** The document of an instance that is met for the first time. */
    static InstanceDocument skeleton(String instanceId, List<WorkItem> items, long nowMillis) {
        Start start = start(items);
        String name = start == null ? "" : start.name();
        String version = start == null || start.version() == null ? "" : start.version();
        return InstanceDocument.skeleton(instanceId, name, version, nowMillis);
    }

    /**
     * The instance with the name and version that its start gives it, where it was locked before its start was read.
     */
    static InstanceDocument named(InstanceDocument instance, List<WorkItem> items) {
        Start start = start(items);
        return start == null || !instance.orchestrationName().isEmpty()
                ? instance
                : instance.named(start.name(), start.version() == null ? "" : start.version());
    }

    /** What the dispatcher gets. Name and version: as stored, else from the messages, else from the history. */
    static OrchestrationItem item(
            InstanceDocument instance, List<WorkItem> items, Histories.Decoded history, KeyValues keyValues) {
        Start start = start(items);
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

    private static @Nullable Start started(List<HistoryEvent> history) {
        for (HistoryEvent event : history) {
            if (event.kind() instanceof EventKind.OrchestrationStarted started) {
                return new Start(started.name(), started.version());
            }
        }
        return null;
    }
}
