package io.sluice.relay.history;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.ReadPace;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.purge.PurgeResponder;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replicas share the key ranges by Kafka's group; the feeds are in memory, one per range. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryPublisherIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final int RANGES = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<ListFeed> feeds = IntStream.range(0, RANGES)
            .mapToObj(range -> new ListFeed("order-" + range))
            .toList();
    private final List<HistoryPublisher> replicas = new ArrayList<>();
    /** The first of each range: its publisher's. */
    private final Map<Integer, ListFeed> readers = new ConcurrentHashMap<>();

    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private Ledger ledger = new Ledger(kafka, topics);
    private Consumer<PurgeMarker> purges = marker -> {};
    private IntFunction<PageReader> feedOf = this::reader;
    private ChangeListener changes = ChangeListener.NONE;

    @BeforeEach
    void topics() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        ledger = new Ledger(kafka, topics);
        try (var admin = kafka.admin()) {
            ledger.makeTopics(admin, RANGES);
        }
    }

    @AfterEach
    void closeAll() {
        replicas.forEach(HistoryPublisher::close);
    }

    private HistoryPublisher replica() throws InterruptedException {
        var bounds = KeyRange.cut(RANGES);
        var feeds = new RangeFeeds(
                new ContainerRanges(
                        "rid",
                        () -> bounds,
                        FirstPosition.AT_FIRST_START,
                        range -> feedOf.apply(bounds.indexOf(range))),
                changes,
                RelayMemory.ofHeap(),
                InstantSource.system(),
                new ReadPace(2, Duration.ofMillis(10), Duration.ofMillis(100)));
        var responder = new PurgeResponder(marker -> purges.accept(marker), Duration.ofSeconds(10));
        var replica = new HistoryPublisher(
                new HistoryTopics(kafka, topics),
                feeds,
                PagePublisher.of(topics, URI.create("cosmos://test/db/c"), PublishListener.UNSEEN, responder),
                PipelineControl.none(Pipeline.EVENTS),
                Duration.ofSeconds(10));
        replicas.add(replica);
        replica.start();
        return replica;
    }

    private ListFeed reader(int range) {
        var reader = new ListFeed(feeds.get(range));
        readers.putIfAbsent(range, reader);
        return reader;
    }

    private void writeEverywhere(int count) {
        feeds.forEach(feed -> feed.write(count));
    }

    private void awaitExactLedger() {
        var expected = feeds.stream().flatMap(feed -> feed.eventIds().stream()).toList();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ledger.eventIds()).hasSizeGreaterThanOrEqualTo(expected.size()));
        var ids = ledger.eventIds();
        assertThat(ids).containsExactlyInAnyOrderElementsOf(expected);
        for (var feed : feeds) {
            assertThat(ids).as("each instance in order").containsSubsequence(feed.eventIds());
        }
    }

    private static List<Integer> publishing(HistoryPublisher replica) {
        return replica.status().stream()
                .filter(range -> range.state() == RangeState.PUBLISHING)
                .map(range -> KeyRange.cut(RANGES).indexOf(range.range()))
                .toList();
    }

    @Test
    void one_replica_publishes_all_ranges() throws InterruptedException {
        writeEverywhere(3);
        var replica = replica();

        awaitExactLedger();

        assertThat(publishing(replica)).containsExactly(0, 1, 2, 3);
    }

    @Test
    void replicas_share_the_ranges_and_take_over_from_one_that_leaves() throws InterruptedException {
        writeEverywhere(3);
        var first = replica();
        var second = replica();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(publishing(first)).hasSize(2);
            assertThat(publishing(second)).hasSize(2).doesNotContainAnyElementsOf(publishing(first));
        });
        writeEverywhere(3);

        first.close();
        writeEverywhere(3);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(publishing(second)).containsExactly(0, 1, 2, 3));
        awaitExactLedger();
    }

    @Test
    void how_its_ranges_stand_is_told_at_once_also_while_it_closes() throws Exception {
        var replica = replica();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(publishing(replica)).containsExactly(0, 1, 2, 3));
        var pause = requireNonNull(readers.get(1)).pauseBeforeNextPageIsHandedOut();
        pause.awaitReached();
        var closing = new Thread(replica::close, "closing");
        closing.start();

        await().atMost(PATIENCE).until(() -> publishing(replica).size() < RANGES);

        assertThat(closing.isAlive()).as("it waits for the page in hand").isTrue();
        pause.release();
        closing.join(PATIENCE.toMillis());
    }

    @Test
    void answers_to_purge_markers_keep_no_event_waiting() throws Exception {
        var asked = new CountDownLatch(RANGES);
        var released = new CountDownLatch(1);
        purges = marker -> {
            asked.countDown();
            try {
                released.await(); // as on a store that throttles
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try {
            replica();
            feeds.forEach(ListFeed::mark);
            assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            writeEverywhere(3);

            awaitExactLedger();
        } finally {
            released.countDown();
        }
    }

    /** Whose end nobody ever reaches: what is in it was written long ago, and there is always more. */
    private static final class EndlessFeed implements PageReader {
        private static final long LONG_AGO_SECONDS = 1_000;

        @Override
        public FeedPage read(@Nullable String continuation) {
            return new FeedPage(List.of(intent("old", LONG_AGO_SECONDS), intent("old", LONG_AGO_SECONDS)), "more");
        }

        @Override
        public FeedPage readSince(Instant since) {
            return new FeedPage(List.of(intent("new", since.getEpochSecond() + 1)), "end");
        }

        private static JsonNode intent(String id, long second) {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("id", id)
                    .put("type", "outbox_intent")
                    .put("_ts", second);
        }
    }

    @Test
    void what_is_new_rings_although_a_range_has_a_backlog_before_it() throws Exception {
        var rung = new CountDownLatch(1);
        feedOf = range -> range == 2 ? new EndlessFeed() : reader(range);
        changes = new SeenChanges(document -> {
            if (document.path("id").asText().equals("new")) {
                rung.countDown();
            }
        });
        replica();

        assertThat(rung.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closing_is_idempotent_and_works_before_starting() throws InterruptedException {
        var replica = replica();

        replica.close();
        replica.close();

        assertThat(replica.status()).isEmpty();
    }
}
