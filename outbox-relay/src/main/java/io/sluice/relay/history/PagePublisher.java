package io.sluice.relay.history;

import io.opentelemetry.api.trace.SpanKind;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.event.StoredEvent;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.log.TraceSpan;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Publishes one page of the change feed: its events and the position after it, in one transaction. One serves all
 * ranges; thread-safe.
 */
public final class PagePublisher {
    private final HistoryRecords records;
    private final PublishListener listener;
    private final Consumer<PurgeMarker> purges;
    private final RangeAnnouncers announcers;

    /**
     * A page of the feed that is to be published.
     *
     * @param feed its documents
     * @param after the position after it; if the range was split, its end and the positions of its parts
     * @param announced the announcement of its work, which has to be taken or dropped before the position moves
     */
    record Page(FeedPage feed, List<Position> after, RangeAnnouncers.Announced announced) {}

    /**
     * Publishes to the history topic, and announces nothing.
     *
     * @param source names account, database and container in every event
     * @param purges gets each purge marker whose earlier events are committed; must return at once
     */
    public static PagePublisher of(Topics topics, URI source, PublishListener listener, Consumer<PurgeMarker> purges) {
        var records = new HistoryRecords(topics, source);
        return new PagePublisher(records, listener, purges, RangeAnnouncers.NONE);
    }

    /** @param purges gets each purge marker whose earlier events are committed; must return at once */
    PagePublisher(
            HistoryRecords records,
            PublishListener listener,
            Consumer<PurgeMarker> purges,
            RangeAnnouncers announcers) {
        this.records = records;
        this.listener = listener;
        this.purges = purges;
        this.announcers = announcers;
    }

    /** The same, which also announces the work on each page before it publishes the page. */
    public PagePublisher announcing(RangeAnnouncers work) {
        return new PagePublisher(records, listener, purges, work);
    }

    /** Begins to announce the work of a range. */
    RangeAnnouncers.Announcer announcer(RangeId range) {
        return announcers.begin(range.bounds());
    }

    /**
     * Publishes a page. One without events needs no transaction unless the range was split: the next page with events
     * carries the position on.
     *
     * @param read whose announcement is awaited before the commit
     * @param heartbeat runs before the commit
     * @return how many events were published
     */
    int publish(Producer<byte[], byte[]> producer, RangeId range, Page read, Runnable heartbeat)
            throws InterruptedException {
        var page = read.feed();
        var events = records.of(page.documents());
        if (!events.isEmpty() || read.after().size() > 1) {
            long begunNanos = System.nanoTime();
            boolean committed = false;
            try (var span =
                    TraceSpan.beginFor("publish history", SpanKind.PRODUCER, HistoryRecords.traces(page.documents()))) {
                span.with("sluice.range", range.name()).with("sluice.events", events.size());
                producer.beginTransaction();
                for (var event : events) {
                    send(producer, event);
                }
                for (var position : read.after()) {
                    send(producer, records.position(position));
                }
                read.announced().awaitTaken();
                heartbeat.run();
                producer.commitTransaction();
                committed = true;
                span.recordOutcome("committed");
            } finally {
                report(committed, range, page, events, System.nanoTime() - begunNanos);
            }
        }
        read.announced().awaitTaken();
        answerPurges(page);
        return events.size();
    }

    /** Writes a position without events. */
    void writePosition(Producer<byte[], byte[]> producer, Position position) throws InterruptedException {
        producer.beginTransaction();
        send(producer, records.position(position));
        producer.commitTransaction();
    }

    private void report(
            boolean committed, RangeId range, FeedPage page, List<ProducerRecord<byte[], byte[]>> events, long nanos) {
        if (!committed) {
            listener.aborted(range.bounds(), nanos);
            return;
        }
        var written = page.documents().stream()
                .filter(StoredEvent::isOne)
                .map(document -> document.path("_ts").asLong())
                .toList();
        listener.committed(new PublishListener.Committed(range.bounds(), events, written, nanos));
    }

    /** The feed is ordered within an instance: all events before a marker are committed by now. */
    private void answerPurges(FeedPage page) {
        page.documents().stream()
                .flatMap(document -> PurgeMarker.in(document).stream())
                .filter(marker -> !marker.deleted())
                .forEach(purges);
    }

    /**
     * Sends a record. The commit reports the failures of records under way. A record that could not even be queued has
     * waited for its broker, and each of the next records would wait as long: so its failure is thrown at once.
     */
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message)
            throws InterruptedException {
        var sent = producer.send(message);
        if (sent.isDone()) {
            try {
                sent.get();
            } catch (ExecutionException e) {
                throw new KafkaException("not sent: " + e.getCause(), e.getCause());
            }
        }
    }
}
