package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplayTest {
    private static final long BEGUN_SECOND = 1_700_000_000;

    /** Whatever was read, there is more: an event each second, beginning ten seconds before the replay. */
    private static final class BusyFeed implements PageReader {
        @Override
        public FeedPage read(@Nullable String continuation) {
            long second = continuation == null ? BEGUN_SECOND - 10 : Long.parseLong(continuation);
            return new FeedPage(List.of(event(second)), String.valueOf(second + 1));
        }

        @Override
        public FeedPage readSince(Instant since) {
            return read(null);
        }

        private static JsonNode event(long second) {
            var json = "{\"event_id\":" + second + ",\"source_event_id\":null,\"instance_id\":\"order\","
                    + "\"execution_id\":1,\"timestamp_ms\":5,\"duroxide_version\":\"0.1.32\",\"type\":\"KeyValuesCleared\"}";
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("type", "history")
                    .put("instanceId", "order")
                    .put("_ts", second)
                    .put("eventData", json);
        }
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void the_feed_of_a_busy_store_ends_with_what_was_there_when_the_replay_began() throws Exception {
        try (var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer())) {
            var replay = new Replay(new Topics("orders"), URI.create("cosmos://test/db/c"), producer, "orders.replay");

            long published = replay.between(Instant.EPOCH, Instant.ofEpochSecond(BEGUN_SECOND), new BusyFeed());

            assertThat(published).isBetween(11L, 30L);
            assertThat(producer.history()).hasSize((int) published);
        }
    }

    /** Begins with a page without documents, as the service does for a feed that is read from a point in time. */
    private static final class FeedSinceATime implements PageReader {
        @Override
        public FeedPage readSince(Instant since) {
            return new FeedPage(List.of(), "begun");
        }

        @Override
        public FeedPage read(@Nullable String continuation) {
            return "begun".equals(continuation)
                    ? new FeedPage(List.of(BusyFeed.event(BEGUN_SECOND)), "end")
                    : new FeedPage(List.of(), "end");
        }
    }

    @Test
    void a_page_without_documents_is_not_the_end() throws Exception {
        try (var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer())) {
            var replay = new Replay(new Topics("orders"), URI.create("cosmos://test/db/c"), producer, "orders.replay");

            long published = replay.between(Instant.EPOCH, Instant.ofEpochSecond(BEGUN_SECOND), new FeedSinceATime());

            assertThat(published).isEqualTo(1);
        }
    }

    @Test
    void an_execution_is_read_on_when_the_page_before_is_published() throws Exception {
        try (var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer())) {
            var replay = new Replay(new Topics("orders"), URI.create("cosmos://test/db/c"), producer, "orders.replay");
            var publishedBefore = new ArrayList<Integer>();

            long published = replay.execution(after -> {
                publishedBefore.add(producer.history().size());
                return LongStream.rangeClosed(after + 1, Math.min(after + 2, 5))
                        .filter(event -> event > 0)
                        .<JsonNode>mapToObj(event -> HistoryExamples.document("order", 1, event, "{}"))
                        .toList();
            });

            assertThat(published).isEqualTo(5);
            assertThat(publishedBefore).containsExactly(0, 1, 3, 5);
        }
    }
}
