package io.sluice.emulator;

import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChangeFeedProcessorIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private final Map<String, Set<String>> seenByHost = new ConcurrentHashMap<>();
    private CosmosAsyncClient client;
    private CosmosAsyncContainer feed;
    private CosmosAsyncContainer leases;

    @BeforeEach
    void makeContainers() {
        client = Clients.builder(EMULATOR.emulator()).buildAsyncClient();
        var database = client.getDatabase("tests");
        feed = database.getContainer(EMULATOR.container().getId());
        var leaseProperties = new CosmosContainerProperties("leases-" + feed.getId(), "/id");
        database.createContainer(leaseProperties).block();
        leases = database.getContainer(leaseProperties.getId());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void two_hosts_share_the_ranges_and_one_takes_over_when_the_other_stops() {
        var first = processor("first");
        var second = processor("second");
        first.start().block();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(owned(first, "first")).isEqualTo(4));
        second.start().block();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(owned(first, "first")).isEqualTo(2);
            assertThat(owned(second, "second")).isEqualTo(2);
        });

        write(0, 100);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen()).hasSize(100));
        assertThat(seenByHost).containsOnlyKeys("first", "second");

        first.stop().block();
        write(100, 200);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen()).hasSize(200));
        second.stop().block();
    }

    @Test
    void a_host_that_starts_again_goes_on_where_it_was() {
        write(0, 20);
        var first = processor("first");
        first.start().block();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen()).hasSize(20));
        awaitNoLag(first);
        first.stop().block();
        awaitNobodyReads();
        write(20, 40);

        var again = processor("again");
        again.start().block();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen()).hasSize(40));
        assertThat(seenByHost.get("again"))
                .as("what was checkpointed before is not read again")
                .isNotEmpty()
                .doesNotContainAnyElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> "item-" + i).toList());
        awaitNoLag(again);
        again.stop().block();
    }

    /** Not before that has the host written down how far it is. */
    private static void awaitNoLag(ChangeFeedProcessor processor) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(processor.getCurrentState().block())
                        .hasSize(4)
                        .allSatisfy(state -> assertThat(state.getEstimatedLag()).isZero()));
    }

    /** A host that has stopped may have a read under way. */
    private void awaitNobodyReads() {
        var last = new AtomicLong(-1);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            long reads = EMULATOR.emulator()
                    .requests()
                    .matching(request -> request.operation() == RequestKind.CHANGE_FEED)
                    .count();
            return last.getAndSet(reads) == reads;
        });
    }

    private ChangeFeedProcessor processor(String host) {
        var options = new ChangeFeedProcessorOptions()
                .setFeedPollDelay(Duration.ofMillis(50))
                .setLeaseRenewInterval(Duration.ofMillis(500))
                .setLeaseAcquireInterval(Duration.ofMillis(500))
                .setLeaseExpirationInterval(Duration.ofSeconds(5))
                .setStartFromBeginning(true)
                .setMaxItemCount(10);
        return new ChangeFeedProcessorBuilder()
                .hostName(host)
                .feedContainer(feed)
                .leaseContainer(leases)
                .options(options)
                .handleLatestVersionChanges(items -> items.forEach(changed -> seenByHost
                        .computeIfAbsent(host, name -> ConcurrentHashMap.newKeySet())
                        .add(changed.getCurrent().path("id").asText())))
                .buildChangeFeedProcessor();
    }

    private static long owned(ChangeFeedProcessor processor, String host) {
        var states = processor.getCurrentState().block();
        return states == null
                ? 0
                : states.stream()
                        .filter(state -> host.equals(state.getHostName()))
                        .count();
    }

    /** At least once: a lease that changes hands may take some items along. */
    private Set<String> seen() {
        return seenByHost.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    private void write(int from, int to) {
        for (int i = from; i < to; i++) {
            feed.createItem(item("key-" + i, "item-" + i)).block();
        }
    }
}
