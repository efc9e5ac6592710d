package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.control.MemoryBudget;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageMemory;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.ReadPace;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many ranges whose pages are large: how many are held at the same time, from when they are read until their events are
 * committed.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PublisherMemoryIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RANGES = 16;
    private static final int PAGES = 3;
    private static final int CHARS = 1_000_000;
    private static final long HEAP = 64 * 1024 * 1024;

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /** Pages of one large event each. */
    private final class LargePages implements PageReader {
        private final String instance;

        private LargePages(String instance) {
            this.instance = instance;
        }

        @Override
        public FeedPage read(@Nullable String continuation) {
            int page = continuation == null ? 0 : Integer.parseInt(continuation);
            if (page == PAGES) {
                return new FeedPage(List.of(), String.valueOf(page));
            }
            return new FeedPage(List.of(event(page + 1)), String.valueOf(page + 1));
        }

        private JsonNode event(int event) {
            return HistoryExamples.document(instance, 1, event, "{\"rest\":\"" + "x".repeat(CHARS) + "\"}");
        }
    }

    /** A page, of one document, is held when it is shown to listeners, and done when its events are committed. */
    private final class Counting implements PublishListener {
        @Override
        public void committed(Committed transaction) {
            held.decrementAndGet();
        }

        @Override
        public void aborted(KeyRange range, long nanos) {}
    }

    private HistoryPublisher publisher(KafkaAccess kafka, Topics topics, RelayMemory memory) {
        var feeds = new RangeFeeds(
                new ContainerRanges(
                        "rid",
                        () -> KeyRange.cut(RANGES),
                        FirstPosition.AT_FIRST_START,
                        range -> new LargePages(instance(range))),
                new SeenChanges(document -> most.accumulateAndGet(held.incrementAndGet(), Math::max)),
                memory,
                InstantSource.system(),
                new ReadPace(1, Duration.ofMillis(10), Duration.ofSeconds(30)));
        return new HistoryPublisher(
                new HistoryTopics(kafka, topics),
                feeds,
                PagePublisher.of(topics, URI.create("cosmos://test/db/c"), new Counting(), marker -> {}),
                PipelineControl.none(Pipeline.EVENTS),
                Duration.ofSeconds(10));
    }

    private static long held(MemoryBudget budget) {
        return Math.max(1, budget.bytes() / (PageMemory.COPIES * CHARS));
    }

    private static String instance(KeyRange range) {
        return "order-" + range.min();
    }

    @Test
    void pages_of_all_ranges_stay_within_one_budget() throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var topics = new Topics(cluster.prefix());
        var ledger = new Ledger(kafka, topics);
        try (var admin = kafka.admin()) {
            ledger.makeTopics(admin, RANGES);
        }
        var memory = RelayMemory.of(HEAP);
        try (var publisher = publisher(kafka, topics, memory)) {
            publisher.start();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(publisher.status())
                            .hasSize(RANGES)
                            .allMatch(range -> range.published() == PAGES));
        }
        long mostByBudget = held(memory.pages()) + held(memory.slowPages());
        assertThat(most.get()).as("pages held at the same time").isBetween(1, (int) mostByBudget);
        assertThat(ledger.eventIds()).hasSize(RANGES * PAGES).doesNotHaveDuplicates();
    }
}
