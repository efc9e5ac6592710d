package io.sluice.provider.cosmos.turn.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.search.HeapBytes;
import io.sluice.provider.cosmos.staged.WholeReads;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentNumbers;
import io.sluice.provider.document.HistoryDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Stored histories: reading an execution's events in order, decoding them, and making the documents for new ones. */
public final class Histories {
    private static final String APPEND = "appendWithExecution";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String OF_EXECUTION =
            "SELECT c.eventId, c.eventData FROM c WHERE c.type = 'history' AND c.executionId = @execution";
    private static final String IDS_BETWEEN =
            "SELECT VALUE c.id FROM c WHERE c.type = 'history' AND c.executionId = @execution"
                    + " AND c.eventId >= @from AND c.eventId <= @to";
    private static final String EXECUTIONS = "SELECT DISTINCT VALUE c.executionId FROM c WHERE c.type = 'history'";

    private final ContainerRequests requests;
    private final WholeReads whole;

    /** Instances that were given events outside of a turn, perhaps before they had a head. */
    private final Cache<String, Boolean> appendedTo =
            Caffeine.newBuilder().maximumSize(10_000).build();

    Histories(ContainerRequests requests, WholeReads whole) {
        this.requests = requests;
        this.whole = whole;
    }

    /** Whether this process has appended events to the instance outside of a turn. */
    public boolean wasAppendedTo(String instanceId) {
        return appendedTo.getIfPresent(instanceId) != null;
    }

    /**
     * Events of an execution, or why they could not be decoded; never a shortened list.
     *
     * @param characters of their JSON, from which their weight in memory is guessed
     */
    public record Decoded(
            List<HistoryEvent> events, @Nullable String error, long characters) {
        /** Of an execution that has no events yet. */
        public static final Decoded EMPTY = new Decoded(List.of(), null, 0);

        /** Rough heap size, in bytes. */
        public long weight() {
            return HeapBytes.of(events.size(), characters);
        }

        /** The same; corrupt where something else of the instance can't be read. */
        public Decoded orCorrupt(@Nullable String fault) {
            return error != null || fault == null ? this : new Decoded(List.of(), fault, characters);
        }

        /** The same, some events further. */
        public Decoded with(List<HistoryEvent> more, long moreCharacters) {
            List<HistoryEvent> all = new ArrayList<>(events.size() + more.size());
            all.addAll(events);
            all.addAll(more);
            return new Decoded(List.copyOf(all), null, characters + moreCharacters);
        }
    }

    /** A history that is known, or being read. To be awaited or cancelled, once. */
    @FunctionalInterface
    public interface Coming {
        /**
         * Waits for its end.
         *
         * @param wanted asked now and then, while it waits
         * @return nothing when it is not wanted any more
         */
        Optional<Decoded> await(BooleanSupplier wanted);

        /** It is not wanted after all: no further page is read. */
        default void cancel() {}
    }

    /** Starts reading. */
    public Coming begin(Call call, String instanceId, long executionId) {
        ContainerRequests.UnderWay reading = requests.queryBeside(call, instanceId, query(executionId));
        return new Coming() {
            @Override
            public Optional<Decoded> await(BooleanSupplier wanted) {
                return reading.rows(wanted).map(result -> decode(result.rows()));
            }

            @Override
            public void cancel() {
                reading.cancel();
            }
        };
    }

    /** Reads once it is awaited, and not before. */
    public Coming later(Call call, String instanceId, long executionId) {
        return wanted -> begin(call.again(), instanceId, executionId).await(wanted);
    }

    /** Events of an execution, ascending. */
    public Decoded read(Call call, String instanceId, long executionId) {
        return decode(rows(call, instanceId, executionId));
    }

    /**
     * Events of an execution, ascending.
     *
     * @throws ProviderException permanent when one can't be decoded
     */
    List<HistoryEvent> readStrictly(Call call, String instanceId, long executionId) {
        return strictly(instanceId, executionId, call, read(call, instanceId, executionId));
    }

    private static List<HistoryEvent> strictly(String instanceId, long executionId, Call call, Decoded decoded) {
        if (decoded.error() != null) {
            throw ProviderException.permanent(
                    call.operation(),
                    "history of instance '" + instanceId + "', execution " + executionId + ": " + decoded.error());
        }
        return decoded.events();
    }

    /**
     * Some events of an execution, ascending.
     *
     * @throws ProviderException permanent when one can't be decoded
     */
    List<HistoryEvent> readStrictly(Call call, String instanceId, long executionId, Collection<Long> eventIds) {
        HistoryReading reading = new HistoryReading(executionId, eventIds);
        return strictly(instanceId, executionId, call, decode(whole.rows(call, instanceId, reading)));
    }

    /** Size of an execution, as stored. */
    InstanceStats stats(Call call, String instanceId, long executionId, long keys, long valueBytes) {
        long bytes = 0;
        long pending = 0;
        List<ObjectNode> rows = rows(call, instanceId, executionId);
        for (ObjectNode row : rows) {
            String json = row.path("eventData").asText();
            bytes += json.getBytes(StandardCharsets.UTF_8).length;
            if (row.path("eventId").asLong() == 1) {
                pending = carriedForward(call, instanceId, json);
            }
        }
        return new InstanceStats(rows.size(), bytes, pending, keys, valueBytes);
    }

    /** An execution's events, turn by turn: with all of a turn's or none. */
    private List<ObjectNode> rows(Call call, String instanceId, long executionId) {
        return whole.rows(call, instanceId, new HistoryReading(executionId, List.of()));
    }

    private static int carriedForward(Call call, String instanceId, String firstEvent) {
        try {
            return HistoryJson.decode(firstEvent).kind() instanceof EventKind.OrchestrationStarted started
                            && started.carryForwardEvents() != null
                    ? started.carryForwardEvents().size()
                    : 0;
        } catch (DecodingException e) {
            throw ProviderException.permanent(
                    call.operation(),
                    "history of instance '" + instanceId + "': event 1 can't be decoded: " + e.getMessage(),
                    e);
        }
    }

    /** The newest execution that has a history; 0 when none has. */
    long latestExecution(Call call, String instanceId) {
        long latest = 0;
        for (Long execution : requests.queryValues(call, instanceId, SqlQuery.of(EXECUTIONS), Long.class)) {
            latest = Math.max(latest, execution);
        }
        return latest;
    }

    private static SqlQuery query(long executionId) {
        return SqlQuery.of(OF_EXECUTION).with("@execution", executionId);
    }

    private static Decoded decode(List<ObjectNode> rows) {
        List<ObjectNode> ordered = new ArrayList<>(rows);
        ordered.sort(Comparator.comparingLong(row -> row.path("eventId").asLong()));
        List<HistoryEvent> events = new ArrayList<>(ordered.size());
        long characters = 0;
        for (ObjectNode row : ordered) {
            String json = row.path("eventData").asText();
            characters += json.length();
            try {
                events.add(HistoryJson.decode(json));
            } catch (DecodingException e) {
                return new Decoded(
                        List.of(),
                        "event " + row.path("eventId").asLong() + " can't be decoded: " + e.getMessage(),
                        characters);
            }
        }
        return new Decoded(List.copyOf(events), null, characters);
    }

    /** Ids of those history documents that exist already, of the given events. */
    public List<String> existing(Call call, String instanceId, List<HistoryDocument> events) {
        long from = events.stream().mapToLong(HistoryDocument::eventId).min().orElse(0);
        long to = events.stream().mapToLong(HistoryDocument::eventId).max().orElse(0);
        Set<String> ids = new HashSet<>();
        events.forEach(event -> ids.add(event.id()));
        SqlQuery query = SqlQuery.of(IDS_BETWEEN)
                .with("@execution", events.get(0).executionId())
                .with("@from", from)
                .with("@to", to);
        return requests.queryValues(call, instanceId, query, String.class).stream()
                .filter(ids::contains)
                .toList();
    }

    /** Stores events outside of a turn, under their own ids; all or nothing per hundred. */
    public void append(String instanceId, long executionId, List<HistoryEvent> events) {
        DocumentIds.checkPartition(APPEND, instanceId);
        Call call = Call.onInstance(APPEND, instanceId, PATIENCE);
        appendedTo.put(instanceId, true);
        List<BatchWrite> creates = new ArrayList<>();
        for (HistoryEvent event : events) {
            // As in an ack: what lies in an instance's partition bears its name.
            creates.add(new BatchWrite.Create(
                    document(call.operation(), instanceId, executionId, event.ofInstance(instanceId))
                            .toJson()));
        }
        for (List<BatchWrite> batch : BatchWrite.portions(creates)) {
            WriteOutcome outcome = requests.batchPatiently(call, instanceId, batch);
            WriteOutcome.Committed unused = outcome.match(
                    committed -> committed,
                    refused -> {
                        throw refused.isConflict()
                                ? duplicate(
                                        call.operation(),
                                        instanceId,
                                        batch.get(refused.index()).id())
                                : Failures.of(call, refused);
                    },
                    Failures.throwing(call),
                    Failures.throwing(call));
        }
    }

    /** The exception that says that an event is stored already. */
    public static ProviderException duplicate(String operation, String instanceId, String documentId) {
        return ProviderException.permanent(
                operation,
                "duplicate event: instance '" + instanceId + "' has '" + documentId + "' already; nothing was stored");
    }

    /**
     * The document for an event.
     *
     * @throws ProviderException permanent when the service could not hold it
     */
    public static HistoryDocument document(String operation, String instanceId, long executionId, HistoryEvent event) {
        String about = "instance '" + instanceId + "': " + event.type() + ".";
        DocumentNumbers.check(operation, about + "executionId", executionId);
        DocumentNumbers.check(operation, about + "eventId", event.eventId());
        HistoryDocument document =
                new HistoryDocument(instanceId, executionId, event.eventId(), encode(operation, instanceId, event));
        DocumentIds.checkDocumentId(operation, "instance id", document.id());
        ObjectNode json = document.toJson();
        if (DocumentJson.isSurelyWithin(json, QueueDocuments.MAX_DOCUMENT_BYTES)) {
            return document;
        }
        int bytes = DocumentJson.sizeBytes(json);
        if (bytes > QueueDocuments.MAX_DOCUMENT_BYTES) {
            throw ProviderException.permanent(
                    operation,
                    "event " + event.eventId() + " (" + event.type() + ") of instance '" + instanceId + "' takes "
                            + bytes + " bytes as a document, the limit is " + QueueDocuments.MAX_DOCUMENT_BYTES);
        }
        return document;
    }

    private static String encode(String operation, String instanceId, HistoryEvent event) {
        try {
            return HistoryJson.encode(event);
        } catch (IllegalArgumentException e) {
            throw ProviderException.permanent(
                    operation,
                    "event " + event.eventId() + " (" + event.type() + ") of instance '" + instanceId
                            + "' can't be stored: " + e.getMessage(),
                    e);
        }
    }
}
