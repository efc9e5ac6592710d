package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.ReadPace;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When a page is announced, and when its events and the position after it are committed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedPagesIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration A_WHILE = Duration.ofMillis(500);

    private final ListFeed feed = new ListFeed("order");
    private final CountDownLatch taken = new CountDownLatch(1);
    private final AtomicInteger refusals = new AtomicInteger();
    private final List<FeedPage> announced = new CopyOnWriteArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private Ledger ledger = new Ledger(kafka, topics);
    private AutoCloseable publisher = () -> {};

    /** Announces to the test, which says what Kafka takes. */
    private final class Announcing implements RangeAnnouncers, RangeAnnouncers.Announcer {
        @Override
        public Announcer begin(KeyRange range) {
            begun.incrementAndGet();
            return this;
        }

        @Override
        public Announced announce(FeedPage page) {
            if (page.isEmpty()) {
                return () -> {};
            }
            announced.add(page);
            return () -> {
                taken.await();
                if (refusals.getAndDecrement() > 0) {
                    throw new KafkaException("refused");
                }
            };
        }

        @Override
        public void close() {
            ended.incrementAndGet();
        }
    }

    @BeforeEach
    void start() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        ledger = new Ledger(kafka, topics);
        try (var admin = kafka.admin()) {
            ledger.makeTopics(admin, 1);
        }
        feed.write(6);
    }

    private void startPublisher() throws InterruptedException {
        var feeds = new RangeFeeds(
                new ContainerRanges(
                        "rid", () -> KeyRange.cut(1), FirstPosition.AT_FIRST_START, range -> new ListFeed(feed)),
                ChangeListener.NONE,
                RelayMemory.ofHeap(),
                InstantSource.system(),
                new ReadPace(2, Duration.ofMillis(10), Duration.ofMillis(100)));
        var pages = PagePublisher.of(topics, URI.create("cosmos://test/db/c"), PublishListener.UNSEEN, marker -> {})
                .announcing(new Announcing());
        var fresh = new HistoryPublisher(
                new HistoryTopics(kafka, topics),
                feeds,
                pages,
                PipelineControl.none(Pipeline.EVENTS),
                Duration.ofSeconds(10));
        publisher = fresh;
        fresh.start();
    }

    @AfterEach
    void close() throws Exception {
        taken.countDown();
        publisher.close();
    }

    @Test
    void the_next_page_is_read_when_the_last_one_was_taken() throws Exception {
        startPublisher();

        await().atMost(PATIENCE).until(() -> !announced.isEmpty());
        await().during(A_WHILE).atMost(PATIENCE).until(() -> announced.size() == 1);
        taken.countDown();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ledger.eventIds()).isEqualTo(feed.eventIds()));
        assertThat(announced).hasSize(3);
    }

    @Test
    void the_position_moves_when_the_page_was_taken() throws Exception {
        refusals.set(1);
        startPublisher();

        await().atMost(PATIENCE).until(() -> !announced.isEmpty());
        await().during(A_WHILE).atMost(PATIENCE).until(() -> ledger.eventIds().isEmpty());
        taken.countDown();

        await().atMost(PATIENCE).until(() -> announced.size() > 1);
        assertThat(announced.get(1).documents())
                .as("the position that was read again is the one before the refused page")
                .isEqualTo(announced.get(0).documents());
    }

    @Test
    void a_page_that_is_refused_is_read_again_and_its_events_are_published_once() throws Exception {
        refusals.set(2);
        taken.countDown();

        startPublisher();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ledger.eventIds()).isEqualTo(feed.eventIds()));
        var first = feed.read(null).documents();
        assertThat(announced.stream().limit(3))
                .allSatisfy(page -> assertThat(page.documents()).isEqualTo(first));
        assertThat(begun.get()).isEqualTo(3);
        assertThat(ended.get())
                .as("each ends when the range is taken over again")
                .isEqualTo(2);
    }
}
