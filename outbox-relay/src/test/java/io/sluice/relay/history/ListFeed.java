package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.provider.document.PurgeDocument;
import io.sluice.relay.event.StoredEvent;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A feed of history documents in memory; its continuation is the number of documents read. */
final class ListFeed implements PageReader {
    private static final int PAGE = 2;

    private final String instance;
    private final List<JsonNode> documents;
    private final AtomicInteger lagging = new AtomicInteger();
    private final AtomicInteger questionsForTheEnd = new AtomicInteger();
    private volatile @Nullable Pause pause;
    private volatile int timestamp = 5;

    /** Of the instance called {@code order}. */
    ListFeed() {
        this("order");
    }

    ListFeed(String instance) {
        this.instance = instance;
        this.documents = new CopyOnWriteArrayList<>();
    }

    /** Another reader of the same feed. */
    ListFeed(ListFeed same) {
        this.instance = same.instance;
        this.documents = same.documents;
    }

    /** A point where a reader stands still. */
    static final class Pause {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        void awaitReached() throws InterruptedException {
            if (!reached.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody read the feed");
            }
        }

        void release() {
            released.countDown();
        }
    }

    Pause pauseBeforeNextPageIsHandedOut() {
        var fresh = new Pause();
        pause = fresh;
        return fresh;
    }

    void write(int count) {
        IntStream.range(0, count).forEach(i -> documents.add(document(documents.size() + 1)));
    }

    /** Puts a purge marker behind what was written. */
    void mark() {
        documents.add(new PurgeDocument(instance, "purge:" + instance + ":" + documents.size(), false, 5).toJson());
    }

    private JsonNode document(int event) {
        var json = "{\"event_id\":" + event + ",\"source_event_id\":null,\"instance_id\":\"" + instance
                + "\",\"execution_id\":1,"
                + "\"timestamp_ms\":" + timestamp + ","
                + "\"duroxide_version\":\"0.1.32\",\"type\":\"KeyValuesCleared\"}";
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "history")
                .put("instanceId", instance)
                .put("timestamp", timestamp)
                .put("eventData", json);
    }

    /** The ids the events have in Kafka, in the feed's order. */
    List<String> eventIds() {
        return IntStream.rangeClosed(1, documents.size())
                .filter(event -> StoredEvent.isOne(documents.get(event - 1)))
                .mapToObj(event -> instance + ":1:" + event + ":"
                        + documents.get(event - 1).path("timestamp").asInt())
                .toList();
    }

    @Override
    public FeedPage read(@Nullable String continuation) {
        return read(continuation, continuation);
    }

    @Override
    public FeedPage read(@Nullable String continuation, @Nullable String floor) {
        int from = number(continuation);
        int to = Math.max(from, Math.min(documents.size(), from + PAGE));
        var read = from < to ? documents.subList(from, to) : List.<JsonNode>of();
        var page = new FeedPage(read, String.valueOf(to), endsEarlier(continuation, floor), false, null);
        standStill();
        return page;
    }

    private boolean endsEarlier(@Nullable String asked, @Nullable String floor) {
        return number(floor) > documents.size() && (Objects.equals(floor, asked) || number(asked) >= documents.size());
    }

    private static int number(@Nullable String continuation) {
        return continuation == null ? 0 : Integer.parseInt(continuation);
    }

    @Override
    public Optional<String> endContinuation() {
        return Optional.of(String.valueOf(documents.size()));
    }

    @Override
    public Optional<String> aheadOfEnd(String continuation) {
        questionsForTheEnd.incrementAndGet();
        int end = lagging.getAndDecrement() > 0 ? 0 : documents.size();
        return Integer.parseInt(continuation) > end
                ? Optional.of("read up to " + continuation + ", where the feed ends at " + end)
                : Optional.empty();
    }

    /** Goes back in time: only the first documents are left. */
    void restore(int first) {
        documents.subList(first, documents.size()).clear();
        timestamp = 6;
    }

    /** So many of the next questions for the end are answered by a copy that has nothing yet. */
    void lag(int answers) {
        lagging.set(answers);
    }

    int questionsForTheEnd() {
        return questionsForTheEnd.get();
    }

    private void standStill() {
        var point = pause;
        if (point != null) {
            pause = null;
            point.reached.countDown();
            try {
                point.released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
