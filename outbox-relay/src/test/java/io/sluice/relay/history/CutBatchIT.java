package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store that shows one transaction in several pages, as Microsoft's vNext emulator does, and owners that die between
 * these.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CutBatchIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BATCH = 6;

    /** Cuts the pages of another reader; its own continuation is that of the page cut, and how much of it was shown. */
    private record CuttingReader(PageReader whole, int size) implements PageReader {
        private static final String SEPARATOR = "#";

        @Override
        public FeedPage read(@Nullable String continuation) {
            var at = continuation == null ? -1 : continuation.lastIndexOf(SEPARATOR);
            var before = continuation == null || at == 0 ? null : continuation.substring(0, at);
            int shown = continuation == null ? 0 : Integer.parseInt(continuation.substring(at + 1));
            var page = whole.read(before);
            int end = Math.min(page.documents().size(), shown + size);
            boolean isAll = end == page.documents().size();
            return new FeedPage(
                    page.documents().subList(shown, end),
                    isAll ? page.continuation() + SEPARATOR + 0 : (before == null ? "" : before) + SEPARATOR + end);
        }
    }

    @ParameterizedTest(name = "pages of {0}")
    @ValueSource(ints = {1, 4})
    void a_batch_cut_anywhere_is_published_whole_and_once(int size) throws Exception {
        var config = new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container());
        CosmosStore.provision(config);
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var topics = new Topics(cluster.prefix());
        var ledger = new Ledger(kafka, topics);
        try (var feed = FeedClient.open(config);
                var admin = kafka.admin()) {
            ledger.makeTopics(admin, 1);
            var id = TestRanges.range(0, 1, feed.containerRid());
            var positions = new PositionLog(kafka, admin, topics, PATIENCE);
            new PositionSetup(kafka, admin, topics, positions)
                    .ensure(TestRanges.whole(id.containerRid()), FirstPosition.AT_FIRST_START);
            var expected = write(feed);
            // Each owner dies at its second page: before it is committed, and at the next, after.
            var producers = new FaultyProducers(() -> kafka.transactional(topics.historyTransactionalId(id.key())));
            var faulty = producers.failBeforeCommits(1).failAfterCommits(2);
            var tuning =
                    new RangePublisher.Tuning(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(20), 100);
            var publisher = new TestPublishers(id, topics, positions, tuning)
                    .publisher(new CuttingReader(new RangeReader(feed.container(), id.bounds(), 100), size), faulty);
            var thread = new Thread(publisher, "publisher");
            thread.start();
            try {
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(ledger.eventIds()).hasSizeGreaterThanOrEqualTo(expected.size()));
            } finally {
                publisher.stop();
                thread.join(PATIENCE.toMillis());
            }
            assertThat(ledger.eventIds()).isEqualTo(expected);
            assertThat(faulty.failures()).isPositive();
        }
    }

    private static List<String> write(FeedClient feed) {
        for (int from : new int[] {1, 1 + BATCH}) {
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey("order"));
            IntStream.range(from, from + BATCH).mapToObj(CutBatchIT::event).forEach(batch::createItemOperation);
            var answer = feed.container().executeCosmosBatch(batch).block(PATIENCE);
            assertThat(answer).matches(done -> done.isSuccessStatusCode());
        }
        return IntStream.rangeClosed(1, 2 * BATCH)
                .mapToObj(event -> "order:1:" + event + ":5")
                .toList();
    }

    private static JsonNode event(int event) {
        var json = "{\"event_id\":" + event + ",\"source_event_id\":null,\"instance_id\":\"order\",\"execution_id\":1,"
                + "\"timestamp_ms\":5,\"duroxide_version\":\"0.1.32\",\"type\":\"KeyValuesCleared\"}";
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "order:history:1:" + event)
                .put("instanceId", "order")
                .put("type", "history")
                .put("executionId", 1)
                .put("eventId", event)
                .put("eventData", json);
    }
}
