package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.Opened;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentFeedIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    private static final int BAD_REQUEST = 400;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Opened opened = new Opened();

    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    private CosmosStoreConfig provisioned() {
        var config = new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container());
        CosmosStore.provision(config);
        return config;
    }

    private CosmosContainer container(CosmosStoreConfig config) {
        CosmosClient client = opened.add(cosmos.clientBuilder().buildClient());
        return client.getDatabase(config.database()).getContainer(config.container());
    }

    private IntentFeed feed(
            CosmosStoreConfig config, String owner, Function<List<JsonNode>, CompletableFuture<Void>> deliver) {
        return feed(config, owner, deliver, ServiceTime.OF_THIS_MACHINE);
    }

    private IntentFeed feed(
            CosmosStoreConfig config,
            String owner,
            Function<List<JsonNode>, CompletableFuture<Void>> deliver,
            ServiceTime time) {
        var client = opened.add(FeedClient.open(config));
        client.ensureLeases(true);
        var processor = TestProcessors.processor(client, owner, deliver);
        var feed = opened.add(new IntentFeed(processor, time, Duration.ofMillis(500)));
        feed.start();
        return feed;
    }

    private CompletableFuture<Void> remember(List<JsonNode> documents) {
        documents.forEach(document -> seen.add(document.path("id").asText()));
        return CompletableFuture.completedFuture(null);
    }

    private static void write(CosmosContainer container, int from, int to) {
        IntStream.range(from, to)
                .forEach(i -> container.createItem(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("id", "doc-" + i)
                                .put("instanceId", "instance-" + i % 7)
                                .put("type", "outbox_intent"),
                        new PartitionKey("instance-" + i % 7),
                        null));
    }

    private static List<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "doc-" + i).toList();
    }

    private CosmosContainer leases(CosmosStoreConfig config) {
        CosmosClient client = opened.add(cosmos.clientBuilder().buildClient());
        return client.getDatabase(config.database()).getContainer(config.container() + "-leases");
    }

    private static Stream<ObjectNode> all(CosmosContainer leases) {
        return leases
                .queryItems(
                        "SELECT * FROM c WHERE IS_DEFINED(c.LeaseToken)",
                        new CosmosQueryRequestOptions(),
                        ObjectNode.class)
                .stream();
    }

    private Set<String> owners(CosmosStoreConfig config) {
        return all(leases(config))
                .map(lease -> lease.path("Owner").asText("nobody"))
                .collect(Collectors.toSet());
    }

    @Test
    void a_replica_whose_clock_is_wrong_leaves_the_leases_to_others_until_it_is_right() {
        var config = provisioned();
        feed(config, "right", this::remember);
        await().atMost(PATIENCE).until(() -> owners(config).equals(Set.of("right")));
        var offset = new AtomicReference<>(Duration.ofSeconds(-45));
        var handedOut = new CopyOnWriteArrayList<JsonNode>();

        var wrong = feed(
                config,
                "wrong",
                documents -> {
                    handedOut.addAll(documents);
                    return CompletableFuture.completedFuture(null);
                },
                new ServiceTime(InstantSource.system(), offset::get));

        assertThat(wrong.problems()).singleElement().asString().contains("clock is wrong by 45 s");
        await().during(Duration.ofSeconds(4))
                .atMost(PATIENCE)
                .until(() -> owners(config).equals(Set.of("right")));
        offset.set(Duration.ZERO);
        await().atMost(PATIENCE).until(() -> owners(config).contains("wrong"));
        assertThat(handedOut).isEmpty();
        assertThat(wrong.problems()).isEmpty();
    }

    @Test
    void a_wrong_clock_that_is_alone_does_no_harm() {
        var config = provisioned();
        var container = container(config);
        write(container, 0, 20);

        var feed = feed(
                config, "only", this::remember, new ServiceTime(InstantSource.system(), () -> Duration.ofSeconds(45)));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsAll(ids(0, 20)));
        assertThat(feed.problems()).isEmpty();
    }

    @Test
    void a_page_that_was_not_worked_off_is_handed_out_again() {
        var config = provisioned();
        var container = container(config);
        var failures = new AtomicInteger(1);
        feed(config, "only", documents -> {
            if (failures.getAndDecrement() > 0) {
                return CompletableFuture.failedFuture(new IllegalStateException("closed"));
            }
            return remember(documents);
        });

        write(container, 0, 1);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsAll(ids(0, 1)));
        assertThat(failures.get()).isLessThan(0);
    }

    @Test
    void a_successor_takes_the_leases_over_and_goes_on() {
        var config = provisioned();
        var container = container(config);
        var first = feed(config, "first", this::remember);
        write(container, 0, 10);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsAll(ids(0, 10)));

        first.close();
        seen.clear();
        feed(config, "second", this::remember);
        write(container, 10, 20);

        // Sooner than leases expire.
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(seen).containsAll(ids(10, 20)));
        assertThat(seen).as("what the first had checkpointed").doesNotContainAnyElementsOf(ids(0, 10));
    }

    @Test
    void leases_that_could_not_be_made_are_made_soon() {
        var emulator = cosmos.requireEmulator();
        var config = provisioned();
        var container = container(config);
        emulator.faults()
                .refuse(
                        request -> request.operation() == RequestKind.ITEM_CREATE
                                && String.valueOf(request.itemId()).contains("-20000000"),
                        1,
                        BAD_REQUEST,
                        0);

        feed(config, "only", this::remember);
        write(container, 0, 30);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(seen)
                        .as("the processor goes on without the lease and shows no error")
                        .containsAll(ids(0, 30)));
    }

    @Test
    void its_problems_are_told_at_once_also_in_the_middle_of_their_repair() {
        var emulator = cosmos.requireEmulator();
        var config = provisioned();
        var feed = feed(config, "only", this::remember);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(feed.problems()).isEmpty());
        var slow = emulator.faults().delay(IntentFeedIT::asksForOwnedLeases, 0, Duration.ofSeconds(4));

        removeALease(config);

        await().atMost(PATIENCE).until(() -> slow.hits() > 0);
        assertThat(CompletableFuture.supplyAsync(feed::problems))
                .as("who asks is the probe of the replica's life")
                .succeedsWithin(Duration.ofSeconds(3));
        emulator.faults().clear();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(feed.problems()).isEmpty());
    }

    @Test
    void a_lease_that_the_processor_has_forgotten_is_released_when_the_feed_is_closed() {
        var config = provisioned();
        var feed = feed(config, "only", this::remember);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(owners(config)).containsExactly("only"));
        var leases = leases(config);
        ObjectNode forgotten = all(leases).findFirst().orElseThrow();
        leases.createItem(forgotten.put("id", forgotten.path("id").asText() + "-forgotten"));

        assertThat(CompletableFuture.runAsync(feed::close))
                .as("which waits for leases to be released, 5 s at most")
                .succeedsWithin(Duration.ofSeconds(4));
        assertThat(owners(config)).containsExactly("nobody");
    }

    private static boolean asksForOwnedLeases(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.body().contains("c.Owner = @owner");
    }

    private void removeALease(CosmosStoreConfig config) {
        var leases = leases(config);
        String id = all(leases).findFirst().orElseThrow().path("id").asText();
        leases.deleteItem(id, new PartitionKey(id), new CosmosItemRequestOptions());
    }
}
