package io.sluice.emulator;

import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Writers, readers, pull readers and a processor go through two splits and a merge; the ledger of what was written must
 * be exact.
 */
class SplitUnderLoadIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int WRITERS = 8;
    private static final int STEP = 120;

    @RegisterExtension
    static final RunningEmulator EMULATOR =
            new RunningEmulator(EmulatorConfig.inMemory().withPhysicalPartitions(2));

    private final Set<String> written = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> processed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writing = new AtomicBoolean(true);
    private final AtomicBoolean reading = new AtomicBoolean(true);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CosmosContainer container;
    private CosmosAsyncClient asyncClient;

    @BeforeEach
    void start() {
        container = EMULATOR.container();
        asyncClient = Clients.builder(EMULATOR.emulator()).buildAsyncClient();
    }

    @AfterEach
    void stop() {
        writing.set(false);
        reading.set(false);
        threads.shutdownNow();
        asyncClient.close();
    }

    @Test
    void nothing_is_lost_or_doubled() throws Exception {
        var processor = processor();
        processor.start().block();
        var writers = start(WRITERS, this::write);
        var readers = start(2, this::readPoints);
        var queries = start(1, this::readSorted);
        var pulls = start(2, this::pull);

        awaitWritten(STEP);
        partitions().split("tests", container.getId(), "0");
        awaitWritten(2 * STEP);
        partitions().split("tests", container.getId(), "1");
        awaitWritten(3 * STEP);
        partitions().merge("tests", container.getId(), "3", "4");
        awaitWritten(4 * STEP);
        writing.set(false);
        get(writers);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Set.copyOf(processed)).hasSameSizeAs(written));
        reading.set(false);
        get(readers);
        get(queries);
        processor.stop().block();

        assertThat(Set.copyOf(processed)).isEqualTo(written);
        for (var pulled : get(pulls)) {
            assertThat(pulled).as("a pull reader").doesNotHaveDuplicates().hasSameElementsAs(written);
        }
        assertThat(ids(Clients.query(container, "SELECT c.id FROM c")))
                .doesNotHaveDuplicates()
                .hasSameElementsAs(written);
        assertThat(EMULATOR.emulator().requests().matching(request -> request.status() == 410))
                .as("stale ranges were refused")
                .isNotEmpty()
                .allSatisfy(request -> assertThat(request.subStatus()).isEqualTo(1002));
        assertThat(partitions().of("tests", container.getId())).hasSize(3);
    }

    /** Each writer counts in partition keys of its own. */
    private List<String> write(int writer) {
        for (int n = 0; writing.get(); n++) {
            var id = writer + "-" + n;
            container.createItem(item(keyOf(id), id).put("n", n));
            written.add(id);
        }
        return List.of();
    }

    private List<String> readPoints(int reader) {
        while (reading.get()) {
            var known = List.copyOf(written);
            if (!known.isEmpty()) {
                var id = known.get(ThreadLocalRandom.current().nextInt(known.size()));
                container.readItem(id, new PartitionKey(keyOf(id)), ObjectNode.class);
            }
        }
        return List.of();
    }

    private List<String> readSorted(int reader) {
        while (reading.get()) {
            var before = Set.copyOf(written);
            var options = new CosmosQueryRequestOptions();
            var seen = new ArrayList<String>();
            container
                    .queryItems("SELECT c.id, c.n FROM c ORDER BY c.n", options, JsonNode.class)
                    .iterableByPage(50)
                    .forEach(page -> seen.addAll(ids(page.getResults())));
            assertThat(seen).as("a sorted query").doesNotHaveDuplicates().containsAll(before);
        }
        return List.of();
    }

    /** Reads the feed until it has seen everything after the writers have ended. */
    private List<String> pull(int reader) {
        var seen = new ArrayList<String>();
        var last = new HashMap<String, Integer>();
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange());
        while (true) {
            boolean ended = !reading.get();
            var continuation = "";
            int before = seen.size();
            for (var page : container
                    .queryChangeFeed(options.setMaxItemCount(20), JsonNode.class)
                    .iterableByPage()) {
                page.getResults().forEach(item -> assertInOrder(item, last));
                seen.addAll(ids(page.getResults()));
                continuation = page.getContinuationToken();
            }
            if (ended && before == seen.size()) {
                return seen;
            }
            options = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation);
        }
    }

    private static void assertInOrder(JsonNode item, Map<String, Integer> last) {
        int n = item.path("n").asInt();
        var earlier = last.put(item.path("pk").asText(), n);
        assertThat(earlier == null || earlier < n).as("order within a key").isTrue();
    }

    private static String keyOf(String id) {
        int dash = id.indexOf('-');
        return id.substring(0, dash) + "/" + Integer.parseInt(id.substring(dash + 1)) % 10;
    }

    private ChangeFeedProcessor processor() {
        var database = asyncClient.getDatabase("tests");
        var leases = new CosmosContainerProperties("leases-" + container.getId(), "/id");
        database.createContainer(leases).block();
        var options = new ChangeFeedProcessorOptions()
                .setFeedPollDelay(Duration.ofMillis(50))
                .setLeaseRenewInterval(Duration.ofMillis(500))
                .setLeaseAcquireInterval(Duration.ofMillis(500))
                .setLeaseExpirationInterval(Duration.ofSeconds(5))
                .setStartFromBeginning(true)
                .setMaxItemCount(20);
        return new ChangeFeedProcessorBuilder()
                .hostName("host")
                .feedContainer(database.getContainer(container.getId()))
                .leaseContainer(database.getContainer(leases.getId()))
                .options(options)
                .handleLatestVersionChanges(items -> items.forEach(
                        changed -> processed.add(changed.getCurrent().path("id").asText())))
                .buildChangeFeedProcessor();
    }

    private void awaitWritten(int count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(written).hasSizeGreaterThan(count));
    }

    private interface Work {
        List<String> run(int number);
    }

    private List<Future<List<String>>> start(int count, Work work) {
        return IntStream.range(0, count)
                .mapToObj(i -> threads.submit((Callable<List<String>>) () -> work.run(i)))
                .collect(Collectors.toList());
    }

    private static List<List<String>> get(List<Future<List<String>>> futures) throws Exception {
        var results = new ArrayList<List<String>>();
        for (var future : futures) {
            results.add(future.get());
        }
        return results;
    }

    private static PhysicalPartitions partitions() {
        return EMULATOR.emulator().partitions();
    }
}
