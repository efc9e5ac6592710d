package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ExecutionInfo;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.HistoryDocument;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.SqlQuery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Executions of an instance. They have no documents of their own: the current execution is known from the instance's
 * head, the others from their events alone.
 */
final class Executions {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Executions.class));
    private static final String UNKNOWN_END = "an event can't be read, and when its execution ended is not known";

    private static final String COMPLETED = "Completed";
    private static final String FAILED = "Failed";
    private static final String CONTINUED = "ContinuedAsNew";

    private static final String SIZES = "SELECT c.executionId AS execution, COUNT(1) AS events,"
            + " MIN(c.eventId) AS firstEvent FROM c WHERE c.type = 'history' GROUP BY c.executionId";
    /** An event's type stands unescaped in its text, which the text of no string inside it can imitate. */
    private static final String IS_TERMINAL = "(CONTAINS(c.eventData, '\"type\":\"OrchestrationCompleted\"')"
            + " OR CONTAINS(c.eventData, '\"type\":\"OrchestrationFailed\"')"
            + " OR CONTAINS(c.eventData, '\"type\":\"OrchestrationContinuedAsNew\"'))";

    private static final String ENDS = "SELECT * FROM c WHERE c.type = 'history' AND c.executionId = @execution"
            + " AND (c.eventId = @first OR " + IS_TERMINAL + ")";

    private static final String ALL_ENDS = "SELECT * FROM c WHERE c.type = 'history' AND " + IS_TERMINAL;

    /** Outputs come with them, and may be large. */
    private static final int ENDS_PER_QUERY = 20;

    private final ContainerRequests requests;

    Executions(ContainerRequests requests) {
        this.requests = requests;
    }

    /** What an execution has in the history. */
    record Size(long events, long firstEvent) {
        static final Size NONE = new Size(0, 0);
    }

    /** Sizes by execution id, ascending; an execution without events is not in it. */
    SortedMap<Long, Size> sizes(Call call, String instanceId) {
        SortedMap<Long, Size> sizes = new TreeMap<>();
        for (ObjectNode row :
                requests.query(call, instanceId, SqlQuery.of(SIZES)).rows()) {
            sizes.put(
                    row.path("execution").asLong(),
                    new Size(row.path("events").asLong(), row.path("firstEvent").asLong()));
        }
        return sizes;
    }

    /**
     * An execution, as far as its documents can be read.
     *
     * @throws ProviderException permanent when there is none, or when its first or last event can't be decoded
     */
    ExecutionInfo info(Call call, InstanceDocument head, long execution) {
        SortedMap<Long, Size> sizes = sizes(call, head.instanceId());
        Size size = sizes.getOrDefault(execution, Size.NONE);
        boolean current = execution == head.currentExecutionId();
        if (!current && size.events() == 0) {
            throw ProviderException.permanent(
                    call.operation(),
                    "execution " + execution + " of instance '" + head.instanceId() + "' not found; it has "
                            + sizes.keySet());
        }
        Ends ends = ends(call, head.instanceId(), execution, size);
        long startedAt = startedAt(head, ends);
        if (current) {
            boolean running = head.status().equals(InstanceDocument.RUNNING);
            return new ExecutionInfo(
                    execution,
                    head.status(),
                    running ? null : head.output(),
                    startedAt,
                    running ? null : Long.valueOf(endedAt(head, ends)),
                    size.events());
        }
        Outcome outcome = outcome(ends.last() == null ? null : ends.last().kind());
        return new ExecutionInfo(
                execution, outcome.status(), outcome.output(), startedAt, completedAt(ends), size.events());
    }

    /** When the current executions of finished instances ended, by instance; none where the history does not say. */
    Map<String, Long> endedAt(Call call, List<InstanceDocument> finished) {
        Map<String, Long> current = new HashMap<>();
        finished.forEach(head -> current.put(head.instanceId(), head.currentExecutionId()));
        Map<String, HistoryEvent> last = new HashMap<>();
        List<String> instances = List.copyOf(current.keySet());
        for (int from = 0; from < instances.size(); from += ENDS_PER_QUERY) {
            List<String> some = instances.subList(from, Math.min(instances.size(), from + ENDS_PER_QUERY));
            for (ObjectNode row :
                    requests.queryAllRanges(call, SqlQuery.of(ALL_ENDS).andOneOf("c.instanceId", some))) {
                String instance = row.path(Fields.INSTANCE_ID).asText();
                if (current.getOrDefault(instance, 0L)
                        == row.path(Fields.EXECUTION_ID).asLong()) {
                    ending(row)
                            .ifPresent(
                                    event -> last.merge(instance, event, (a, b) -> a.eventId() > b.eventId() ? a : b));
                }
            }
        }
        Map<String, Long> ends = new HashMap<>();
        last.forEach((instance, event) -> ends.put(instance, event.timestampMillis()));
        return ends;
    }

    /**
     * The event, if it ends an execution. An event that can't be read is skipped, and must not hide the others.
     */
    private static Optional<HistoryEvent> ending(ObjectNode row) {
        try {
            HistoryEvent event =
                    HistoryJson.decode(HistoryDocument.fromJson(row).eventData());
            return isTerminal(event.kind()) ? Optional.of(event) : Optional.empty();
        } catch (MalformedDocumentException e) {
            MALFORMED.log(row, UNKNOWN_END, e);
        } catch (DecodingException e) {
            MALFORMED.log(row, UNKNOWN_END, new MalformedDocumentException(String.valueOf(e.getMessage())));
        }
        return Optional.empty();
    }

    /** When an execution began; when the instance did, where the history does not say. */
    long startedAt(Call call, InstanceDocument head, long execution) {
        Size size = sizes(call, head.instanceId()).getOrDefault(execution, Size.NONE);
        return startedAt(head, ends(call, head.instanceId(), execution, size));
    }

    private static long startedAt(InstanceDocument head, Ends ends) {
        return ends.first() == null ? head.createdAt() : ends.first().timestampMillis();
    }

    /** When executions that are not the current one ended; those whose history does not say are not in it. */
    Map<Long, Long> completedAt(Call call, String instanceId, List<Long> executions) {
        Map<Long, HistoryEvent> last = new HashMap<>();
        SqlQuery query = SqlQuery.of(ALL_ENDS).andOneOf("c.executionId", executions);
        for (ObjectNode row : requests.query(call, instanceId, query).rows()) {
            HistoryDocument document = parse(call, row);
            HistoryEvent event = decode(call, document);
            if (isTerminal(event.kind())) {
                last.merge(document.executionId(), event, (a, b) -> a.eventId() > b.eventId() ? a : b);
            }
        }
        Map<Long, Long> ends = new HashMap<>();
        last.forEach((execution, event) -> ends.put(execution, event.timestampMillis()));
        return ends;
    }

    /** The instance's own time moves with every later lock, so it counts only where the history says nothing. */
    private static long endedAt(InstanceDocument head, Ends ends) {
        return Objects.requireNonNullElse(completedAt(ends), head.updatedAt());
    }

    private static @Nullable Long completedAt(Ends ends) {
        return ends.last() == null ? null : Long.valueOf(ends.last().timestampMillis());
    }

    /** An execution that is over without saying how was followed by the next. */
    private static Outcome outcome(@Nullable EventKind last) {
        if (last instanceof EventKind.OrchestrationCompleted completed) {
            return new Outcome(COMPLETED, completed.output());
        }
        if (last instanceof EventKind.OrchestrationFailed failed) {
            return new Outcome(FAILED, text(failed.details()));
        }
        if (last instanceof EventKind.OrchestrationContinuedAsNew next) {
            return new Outcome(CONTINUED, next.input());
        }
        return new Outcome(CONTINUED, null);
    }

    private static String text(ErrorDetails details) {
        if (details instanceof ErrorDetails.Application application
                && application.kind() instanceof ErrorDetails.ApplicationKind.Cancelled cancelled) {
            return "canceled: " + cancelled.reason();
        }
        return details.text();
    }

    private record Outcome(String status, @Nullable String output) {}

    /** The first event and the one that ended the execution; null where there is none. */
    private record Ends(
            @Nullable HistoryEvent first, @Nullable HistoryEvent last) {}

    private Ends ends(Call call, String instanceId, long execution, Size size) {
        List<ObjectNode> rows = requests.query(
                        call,
                        instanceId,
                        SqlQuery.of(ENDS).with("@execution", execution).with("@first", size.firstEvent()))
                .rows();
        @Nullable HistoryEvent first = null;
        @Nullable HistoryEvent last = null;
        for (ObjectNode row : rows) {
            HistoryDocument document = parse(call, row);
            HistoryEvent event = decode(call, document);
            if (size.events() > 0 && document.eventId() == size.firstEvent()) {
                first = event;
            }
            if (isTerminal(event.kind()) && (last == null || event.eventId() > last.eventId())) {
                last = event;
            }
        }
        return new Ends(first, last);
    }

    private static boolean isTerminal(EventKind kind) {
        return kind instanceof EventKind.OrchestrationCompleted
                || kind instanceof EventKind.OrchestrationFailed
                || kind instanceof EventKind.OrchestrationContinuedAsNew;
    }

    private static HistoryDocument parse(Call call, ObjectNode row) {
        try {
            return HistoryDocument.fromJson(row);
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }

    private static HistoryEvent decode(Call call, HistoryDocument document) {
        try {
            return HistoryJson.decode(document.eventData());
        } catch (DecodingException e) {
            throw ProviderException.permanent(
                    call.operation(),
                    "event " + document.eventId() + " of instance '" + document.instanceId() + "', execution "
                            + document.executionId() + ", can't be decoded: " + e.getMessage(),
                    e);
        }
    }
}
