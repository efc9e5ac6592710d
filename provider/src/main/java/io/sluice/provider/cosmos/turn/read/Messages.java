package io.sluice.provider.cosmos.turn.read;

import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.request.OperationCost;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a turn's messages say about their instance. */
public final class Messages {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Messages.class));
    private static final String UNDECODABLE = "a message can't be decoded and is left out of the turn";

    private Messages() {}

    /** How the work items begin that begin an execution; every writer of the store writes the kind first. */
    private static final String START = "{\"StartOrchestration\"";

    private static final List<String> STARTS = List.of(START, "{\"ContinueAsNew\"");

    /** The condition that a queue document holds a message that begins an execution. */
    public static final String IS_START = STARTS.stream()
            .map(start -> "STARTSWITH(c.workItem, '" + start + "')")
            .collect(Collectors.joining(" OR ", "(", ")"));

    /** Name and version as a start message gives them. */
    public record Start(String name, @Nullable String version) {}

    /**
     * The work items in order. One that can't be decoded is left out, as the contract has it; the ack removes it with
     * the others.
     */
    public static List<WorkItem> decode(List<QueueDocument> messages) {
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
    public static boolean isStart(QueueDocument message) {
        return STARTS.stream().anyMatch(message.workItem()::startsWith);
    }

    /** Whether it begins the first execution of its instance. */
    public static boolean isFirst(QueueDocument message) {
        return message.workItem().startsWith(START);
    }

    /** Id of the newest message that begins an execution; null when there is none. */
    public static @Nullable String newestStart(List<QueueDocument> messages) {
        return messages.stream()
                .filter(Messages::isStart)
                .map(QueueDocument::id)
                .max(String::compareTo)
                .orElse(null);
    }

    /** The first start, or null. */
    public static @Nullable Start start(List<WorkItem> items) {
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
}
