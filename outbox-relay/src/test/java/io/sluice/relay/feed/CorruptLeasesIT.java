package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody wrote into the container of leases: the feed is read on, and the relay never ends for it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CorruptLeasesIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int DOCUMENTS = 24;
    private static final int LEASES = 4;

    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private CosmosStoreConfig config;
    private CosmosClient admin;
    private FeedClient client;

    @BeforeEach
    void provision() {
        config = new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container());
        CosmosStore.provision(config);
        admin = cosmos.clientBuilder().buildClient();
        client = FeedClient.open(config);
        client.ensureLeases(true);
    }

    @AfterEach
    void close() {
        client.close();
        admin.close();
    }

    /** Each lease gets one of its own. */
    static Stream<List<Corruption>> corruptions() {
        var all = List.of(Corruption.values());
        return IntStream.range(0, (all.size() + LEASES - 1) / LEASES)
                .mapToObj(i -> all.subList(i * LEASES, Math.min((i + 1) * LEASES, all.size())));
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void a_relay_that_meets_corrupt_leases_starts_and_reads_everything(List<Corruption> corruptions) throws Exception {
        try (var first = feed()) {
            first.start();
            awaitAll("before");
        }
        corrupt(corruptions);

        try (var feed = feed()) {
            feed.start();

            awaitAll("after");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(feed.problems()).isEmpty());
        }
    }

    @Test
    void leases_that_are_corrupted_while_they_are_held_stop_nothing() throws Exception {
        try (var feed = feed()) {
            feed.start();
            awaitAll("before");

            corrupt(List.of(
                    Corruption.TIMESTAMP_THAT_IS_NO_TIME,
                    Corruption.TOKEN_OF_ANOTHER,
                    Corruption.RANGE_THAT_IS_TEXT,
                    Corruption.CONTINUATION_THAT_IS_NONE));

            awaitAll("after");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(feed.problems()).isEmpty());
        }
    }

    private IntentFeed feed() {
        var processor = TestProcessors.processor(client, "relay", documents -> {
            documents.forEach(document -> seen.add(document.path("id").asText()));
            return CompletableFuture.completedFuture(null);
        });
        return new IntentFeed(processor, ServiceTime.OF_THIS_MACHINE, Duration.ofMillis(500));
    }

    /** Some documents in every part of the feed are written and seen. */
    private void awaitAll(String round) {
        var ids = IntStream.range(0, DOCUMENTS).mapToObj(i -> round + "-" + i).toList();
        ids.forEach(id -> container("")
                .createItem(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("id", id)
                                .put("instanceId", id)
                                .put("type", "outbox_intent"),
                        new PartitionKey(id),
                        null));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsAll(ids));
    }

    /** One lease after the other, whatever their owner does meanwhile. */
    private void corrupt(List<Corruption> corruptions) {
        var ids = leases().stream()
                .map(lease -> lease.path("id").asText())
                .sorted()
                .toList();
        assertThat(ids).hasSize(LEASES);
        for (int i = 0; i < corruptions.size(); i++) {
            var id = ids.get(i);
            var corruption = corruptions.get(i);
            await().atMost(PATIENCE).until(() -> corrupted(id, corruption));
        }
    }

    private boolean corrupted(String id, Corruption corruption) {
        var lease = leases().stream()
                .filter(document -> document.path("id").asText().equals(id))
                .findFirst();
        try {
            lease.ifPresent(sound -> container("-leases").upsertItem(corruption.of((ObjectNode) sound)));
            return lease.isPresent();
        } catch (CosmosException e) {
            return false; // its owner was faster
        }
    }

    private List<JsonNode> leases() {
        return container("-leases")
                .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                .stream()
                .filter(document -> document.path("id").asText().contains(LeaseDefect.TOKEN_MARK))
                .toList();
    }

    private CosmosContainer container(String suffix) {
        return admin.getDatabase(config.database()).getContainer(config.container() + suffix);
    }
}
