package io.sluice.relay.verify;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.event.EventId;
import io.sluice.relay.event.StoredEvent;
import io.sluice.relay.feed.BoundedAnswer;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.ScanGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The history documents of a container, by queries. */
final class StoredHistory {
    private static final Logger LOG = LoggerFactory.getLogger(StoredHistory.class);
    private static final String QUERY = "SELECT * FROM c WHERE c.type = 'history' AND c._ts >= @since";
    private static final String ONE =
            "SELECT * FROM c WHERE c.type = 'history' AND c.executionId = @execution AND c.eventId = @event";
    /** Of what is asked for at once, so that a sample is taken all over the key space. */
    private static final int SLICES = 16;

    private static final int PAGE_SIZE = 1_000;
    /** A page waits for its share of a small throughput. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final CosmosAsyncContainer container;

    StoredHistory(CosmosAsyncContainer container) {
        this.container = container;
    }

    /**
     * Reads the events of instances.
     *
     * @param since earlier events are left out; null for none
     * @param oneIn which part of the instances, chosen at random by the hash of their ids; 1 for all
     * @throws PrerequisiteException if the store does not answer
     */
    void read(@Nullable Instant since, int oneIn, Consumer<StoredEntry> events) {
        var slices = sample(oneIn);
        long read = 0;
        for (int i = 0; i < slices.size(); i++) {
            read += read(since, slices.get(i), events);
            LOG.atInfo()
                    .addKeyValue("events", read)
                    .addKeyValue("slice", i + 1)
                    .addKeyValue("slices", slices.size())
                    .log("read a slice of the store's histories");
        }
    }

    private static List<KeyRange> sample(int oneIn) {
        var all = KeyRange.cut(SLICES * oneIn);
        int chosen = ThreadLocalRandom.current().nextInt(oneIn);
        return IntStream.range(0, SLICES)
                .mapToObj(slice -> all.get(slice * oneIn + chosen))
                .toList();
    }

    private long read(@Nullable Instant since, KeyRange slice, Consumer<StoredEntry> events) {
        var query = new SqlQuerySpec(QUERY, new SqlParameter("@since", since == null ? 0 : since.getEpochSecond()));
        var answers = container
                .queryItems(query, ScanGroup.options(slice), JsonNode.class)
                .byPage(PAGE_SIZE);
        var pages = BoundedAnswer.each(answers, PATIENCE, "for the histories of " + slice.name())
                .toIterable(1);
        long read = 0;
        try {
            for (var page : pages) {
                for (var document : page.getResults()) {
                    events.accept(entry(document));
                    read++;
                }
            }
        } catch (PrerequisiteException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new PrerequisiteException("can't read the store's histories: " + e.getMessage(), e);
        }
        return read;
    }

    /** Whether the store has an event still; one that was removed meanwhile may never have been published. */
    boolean stillHas(EventId id) {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(id.instance()));
        var query = new SqlQuerySpec(
                ONE, new SqlParameter("@execution", id.execution()), new SqlParameter("@event", id.event()));
        try {
            var events = container.queryItems(query, options, JsonNode.class).collectList();
            return BoundedAnswer.of(events, PATIENCE, "for an event").orElse(List.of()).stream()
                    .anyMatch(document -> StoredEvent.of(document).id().equals(id));
        } catch (RuntimeException e) {
            throw new PrerequisiteException("can't read an event again: " + FailureReason.of(e), e);
        }
    }

    private static StoredEntry entry(JsonNode document) {
        var event = StoredEvent.of(document);
        // Without a text the record has the whole document, as the feed shows it.
        boolean isWholeDocument = !document.path("eventData").isTextual();
        var value = isWholeDocument ? Digest.NONE : Digest.of(event.json().getBytes(StandardCharsets.UTF_8));
        return new StoredEntry(event.id(), document.path("_ts").asLong(), value);
    }
}
