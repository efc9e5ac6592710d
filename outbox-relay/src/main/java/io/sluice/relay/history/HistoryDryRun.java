package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;

/**
 * Counts the events that wait to be published: it reads the change feed of each key range from the stored position to
 * the end. It takes no range over and writes neither events nor positions.
 */
public final class HistoryDryRun {
    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final Source source;
    private final InstantSource clock;

    /**
     * The store to read.
     *
     * @param uri names the store in events
     * @param containerRid resource id of the container
     * @param readers reads a range
     * @param newRanges the ranges of a first start
     * @param adopts whether positions of another history topic count as if they were of the present one
     */
    public record Source(
            URI uri,
            String containerRid,
            Function<KeyRange, PageReader> readers,
            Supplier<List<KeyRange>> newRanges,
            boolean adopts) {
        /** With positions of the present history topic only. */
        public Source(
                URI uri,
                String containerRid,
                Function<KeyRange, PageReader> readers,
                Supplier<List<KeyRange>> newRanges) {
            this(uri, containerRid, readers, newRanges, false);
        }

        private Source adopting() {
            return new Source(uri, containerRid, readers, newRanges, true);
        }
    }

    /**
     * The events that wait in a key range.
     *
     * @param begun whether a part of it was read before
     * @param events to publish
     * @param markers of deletions and prunings that wait for them
     */
    public record Waiting(KeyRange range, boolean begun, long events, long markers) {}

    /** Reads nothing yet. */
    public HistoryDryRun(KafkaAccess kafka, Admin admin, Topics topics, Source source, InstantSource clock) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.source = source;
        this.clock = clock;
    }

    /** The same, as if positions of another history topic were of the present one: see {@link PositionAdmin#adopt}. */
    public HistoryDryRun adopting() {
        return new HistoryDryRun(kafka, admin, topics, source.adopting(), clock);
    }

    /**
     * Reads all ranges; events that are written meanwhile may be left out.
     *
     * @param first what becomes of missing positions
     * @throws PrerequisiteException when a relay would refuse to start
     */
    public List<Waiting> now(FirstPosition first) throws InterruptedException {
        var records = new HistoryRecords(topics, source.uri());
        long begunSecond = clock.instant().getEpochSecond();
        var waiting = new ArrayList<Waiting>();
        for (var position : positions(first)) {
            waiting.add(waiting(position, records, begunSecond));
        }
        return waiting;
    }

    /**
     * Reads the documents behind the stored positions, page by page. Events of a time before this call that are not
     * among them were published.
     *
     * @throws PrerequisiteException when a relay would refuse to start
     */
    public void read(Consumer<List<JsonNode>> documents) throws InterruptedException {
        long begunSecond = clock.instant().getEpochSecond();
        for (var position : positions(FirstPosition.AT_FIRST_START)) {
            read(position, begunSecond, documents);
        }
    }

    private List<Position> positions(FirstPosition first) throws InterruptedException {
        var log = new PositionLog(kafka, admin, topics, KafkaAccess.TRANSACTION_TIMEOUT);
        return new PositionSetup(kafka, admin, topics, log)
                .preview(
                        new PositionSetup.Container(source.containerRid(), source.newRanges()), first, source.adopts());
    }

    private Waiting waiting(Position position, HistoryRecords records, long begunSecond) {
        var events = new AtomicLong();
        var markers = new AtomicLong();
        read(position, begunSecond, documents -> {
            events.addAndGet(records.of(documents).size());
            markers.addAndGet(documents.stream()
                    .flatMap(document -> PurgeMarker.in(document).stream())
                    .filter(marker -> !marker.deleted())
                    .count());
        });
        return new Waiting(position.bounds(), position.continuation() != null, events.get(), markers.get());
    }

    private void read(Position position, long begunSecond, Consumer<List<JsonNode>> documents) {
        var reader = source.readers().apply(position.bounds());
        requireTrusted(position.range(), position, reader);
        var end = reader.end();
        var requested = position.continuation();
        var page = position.read(reader);
        while (!page.isEndAfter(requested)) {
            documents.accept(page.documents());
            // Without this limit the feed of a busy store would have no end. Pages of several partitions alternate: a
            // new document of one does not say that the others are read.
            var reached = page.continuation();
            if (page.newestSecond() > begunSecond + 1
                    && end.map(each -> each.isReachedBy(reached)).orElse(true)) {
                break;
            }
            requested = page.continuation();
            page = reader.read(requested);
        }
    }

    private static void requireTrusted(RangeId id, Position position, PageReader reader) {
        var floor = position.floor();
        var ahead = floor == null
                ? Optional.<String>empty()
                : reader.aheadOfEnd(floor).map(where -> FeedEndCheck.refusal(id, where));
        Optional.ofNullable(position.refused()).or(() -> ahead).ifPresent(why -> {
            throw new PrerequisiteException(why, null);
        });
    }
}
