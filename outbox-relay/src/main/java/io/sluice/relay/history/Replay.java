package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes history again, to a separate topic. Its consumers recognise events that they have read before by the
 * event's id, which is the same. A replay that fails leaves a part of the events in the topic. Not thread-safe.
 */
public final class Replay {
    /** How far this process may be wrong about the store's time. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(10);

    private static final long BEFORE_THE_FIRST = -1;

    private final HistoryRecords records;
    private final Producer<byte[], byte[]> producer;
    private final String topic;

    /**
     * Publishes nothing yet.
     *
     * @param source names account, database and container in every event
     * @param topic to publish to; must be there
     */
    public Replay(Topics topics, URI source, Producer<byte[], byte[]> producer, String topic) {
        this.records = new HistoryRecords(topics, source);
        this.producer = producer;
        this.topic = topic;
    }

    /**
     * Publishes the history of an execution, page by page: a page is requested after the previous one is published.
     *
     * @param pages gives events that follow one by its number, in their order; none when there are no more
     * @return how many events
     */
    public long execution(LongFunction<List<JsonNode>> pages) throws InterruptedException, ExecutionException {
        long published = 0;
        var page = pages.apply(BEFORE_THE_FIRST);
        while (!page.isEmpty()) {
            published += publish(page);
            page = pages.apply(page.get(page.size() - 1).path("eventId").asLong());
        }
        return published;
    }

    /**
     * Publishes the events that were written between two times, and perhaps some later ones: the feed of a busy store
     * has no end.
     *
     * @param until by the store's time
     * @param range of one physical partition: only these show changes in the order of their time
     * @return how many events
     */
    public long between(Instant since, Instant until, PageReader range)
            throws InterruptedException, ExecutionException {
        long enoughSecond = until.plus(ALLOWANCE).getEpochSecond();
        long published = 0;
        String requested = null;
        FeedPage page = range.readSince(since);
        while (!page.isEndAfter(requested)) {
            published += publish(page.documents());
            if (page.newestSecond() > enoughSecond) {
                break;
            }
            requested = page.continuation();
            page = range.read(requested);
        }
        return published;
    }

    private long publish(List<JsonNode> documents) throws InterruptedException, ExecutionException {
        List<Future<?>> sent = new ArrayList<>();
        for (var event : records.of(documents)) {
            sent.add(producer.send(new ProducerRecord<>(topic, null, event.key(), event.value(), event.headers())));
        }
        producer.flush();
        for (var each : sent) {
            each.get();
        }
        return sent.size();
    }
}
