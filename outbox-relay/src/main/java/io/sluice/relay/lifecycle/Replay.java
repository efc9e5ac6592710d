package io.sluice.relay.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.ops.Topics;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes history once more, to a topic of its own: what a consumer of it reads it may have read before, and tells by the event's id, which is the same. An
 * end in the middle leaves a part of it there. Not thread-safe.
 */
public final class Replay {
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
     * Publishes what there is of some instances' history, executions and events in their order.
     *
     * @return how many events
     */
    public long documents(List<JsonNode> history) throws InterruptedException, ExecutionException {
        return publish(history.stream()
                .sorted(Comparator.comparingLong((JsonNode document) ->
                                document.path("executionId").asLong())
                        .thenComparingLong(document -> document.path("eventId").asLong()))
                .toList());
    }

    /**
     * Publishes what was written since a point in time, up to the end the feed has when it gets there.
     *
     * @return how many events
     */
    public long since(Instant since, PageReader range) throws InterruptedException, ExecutionException {
        long published = 0;
        FeedPage page = range.readSince(since);
        while (!page.isEmpty()) {
            published += publish(page.documents());
            page = range.read(page.continuation());
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
