package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two physical partitions, a clock that stands still, and a client that does not try again: every charge is counted.
 */
class ThrottlingIT {
    private static final double WRITE = 4.95;

    private final SettableClock clock = new SettableClock();
    private CosmosEmulator emulator;
    private CosmosClient client;
    private int ids;

    @BeforeEach
    void start() {
        start(0);
    }

    private void start(int containerThroughput) {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory()
                .withPhysicalPartitions(2)
                .withContainerThroughput(containerThroughput)
                .withClock(clock));
        client = client(List.of());
        client.createDatabase("db");
    }

    private CosmosClient client(List<String> preferredRegions) {
        return Clients.builder(emulator)
                .endpoint(emulator.endpoint().replace("127.0.0.1", "localhost"))
                .throttlingRetryOptions(new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0))
                .consistencyLevel(ConsistencyLevel.EVENTUAL)
                .preferredRegions(preferredRegions)
                .buildClient();
    }

    @AfterEach
    void stop() {
        client.close();
        emulator.close();
    }

    @Test
    void nothing_is_too_much_where_nothing_was_bought() {
        var container = container("free", null);

        for (int i = 0; i < 300; i++) {
            container.createItem(item("a", "" + i));
        }
    }

    @Test
    void a_partition_has_its_share_of_what_was_bought() {
        var container = container("bought", ThroughputProperties.createManualThroughput(400));

        int written = writeUntilThrottled(container, "a");

        assertThat(written).isEqualTo((int) Math.ceil(200 / WRITE));
        assertThat(writeUntilThrottled(container, keyOfOtherPartition(container)))
                .as("the other partition has its own share")
                .isPositive();
    }

    @Test
    void a_partition_may_be_limited_whatever_was_bought() {
        var container = container("limited", ThroughputProperties.createManualThroughput(10_000));
        emulator.partitions().limitThroughput("db", "limited", 50);

        int written = writeUntilThrottled(container, "a");

        assertThat(written).isEqualTo((int) Math.ceil(50 / WRITE));
        assertThat(writeUntilThrottled(container, keyOfOtherPartition(container)))
                .as("a key that is not hot")
                .isPositive();
        emulator.partitions().limitThroughput("db", "limited", 0);
        clock.advance(Duration.ofSeconds(1));
        container.createItem(item("a", "after"));
        assertThatThrownBy(() -> emulator.partitions().limitThroughput("db", "limited", -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_client_is_told_when_to_come_again() {
        var container = container("bought", ThroughputProperties.createManualThroughput(400));
        writeUntilThrottled(container, "a");

        var refused = assertRefused(() -> container.createItem(item("a", "again")), 429)
                .returns(3200, CosmosException::getSubStatusCode)
                .actual();
        assertThat(refused.getRetryAfterDuration()).isPositive().isLessThan(Duration.ofSeconds(1));
        assertRefused(() -> container.readItem("item-0", new PartitionKey("a"), ObjectNode.class), 429);

        clock.advance(refused.getRetryAfterDuration());

        assertThat(container.createItem(item("a", "again")).getStatusCode()).isEqualTo(201);
    }

    @Test
    void a_container_may_use_what_it_scales_to() {
        var container = container("scales", ThroughputProperties.createAutoscaledThroughput(1000));

        assertThat(writeUntilThrottled(container, "a")).isEqualTo((int) Math.ceil(500 / WRITE));
    }

    @Test
    void more_throughput_counts_at_once() {
        var container = container("grows", ThroughputProperties.createManualThroughput(400));
        writeUntilThrottled(container, "a");

        container.replaceThroughput(ThroughputProperties.createManualThroughput(4000));
        clock.advance(Duration.ofSeconds(1));

        assertThat(writeUntilThrottled(container, "a")).isGreaterThan(300);
    }

    @Test
    void containers_share_what_was_bought_for_their_database() {
        client.createDatabase("shared", ThroughputProperties.createManualThroughput(400));
        var one = container("shared", "one", null);
        var two = container("shared", "two", null);
        var own = container("shared", "own", ThroughputProperties.createManualThroughput(400));

        int written = writeUntilThrottled(one, "a");

        assertThat(written).isEqualTo((int) Math.ceil(200 / WRITE));
        assertRefused(() -> two.createItem(item("a", "1")), 429);
        assertThat(writeUntilThrottled(own, "a")).isEqualTo(written);
    }

    @Test
    void a_region_that_is_behind_has_shares_of_a_database_too() {
        stop();
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory()
                .withPhysicalPartitions(2)
                .withRegions("North", "South")
                .withClock(clock));
        client = client(List.of("South"));
        client.createDatabase("shared", ThroughputProperties.createManualThroughput(400));
        var container = container("shared", "one", null);
        writeUntilThrottled(container, "a");
        var other = keyOfOtherPartition(container);
        clock.advance(Duration.ofSeconds(1));
        emulator.replication().stop("South");

        assertThat(readUntilThrottled(container, "a", "item-0")).isGreaterThan(150);
        assertThat(readUntilThrottled(container, other, "probe")).isGreaterThan(150);
    }

    @Test
    void a_limit_may_be_set_for_containers_that_buy_nothing() {
        stop();
        start(1000);

        assertThat(writeUntilThrottled(container("limited", null), "a")).isEqualTo((int) Math.ceil(500 / WRITE));
    }

    @Test
    void halves_of_a_partition_have_half_of_its_share_each() {
        var container = container("split", ThroughputProperties.createManualThroughput(1200));
        emulator.partitions().split("db", "split", "0");

        assertThat(writeUntilThrottled(container, "a")).isEqualTo((int) Math.ceil(400 / WRITE));
    }

    @Test
    void what_can_not_be_bought_is_refused() {
        assertRefused(() -> container("few", ThroughputProperties.createManualThroughput(399)), 400);
        assertRefused(() -> container("odd", ThroughputProperties.createManualThroughput(450)), 400);
        assertRefused(() -> container("scales", ThroughputProperties.createAutoscaledThroughput(1500)), 400);
        var container = container("bought", ThroughputProperties.createManualThroughput(400));
        assertRefused(() -> container.replaceThroughput(ThroughputProperties.createManualThroughput(100)), 400);
        assertThat(container.readThroughput().getMinThroughput()).isEqualTo(400);
    }

    private int writeUntilThrottled(CosmosContainer container, String key) {
        for (int written = 0; ; written++) {
            try {
                container.createItem(item(key, "item-" + ids++));
            } catch (CosmosException e) {
                assertThat(e.getStatusCode()).isEqualTo(429);
                return written;
            }
        }
    }

    private static int readUntilThrottled(CosmosContainer container, String key, String id) {
        for (int read = 0; ; read++) {
            try {
                container.readItem(id, new PartitionKey(key), ObjectNode.class);
            } catch (CosmosException e) {
                assertThat(e.getStatusCode()).isEqualTo(429);
                return read;
            }
        }
    }

    /** While the partition of key {@code a} is used up. */
    private static String keyOfOtherPartition(CosmosContainer container) {
        for (int i = 0; ; i++) {
            try {
                container.createItem(item("key-" + i, "probe"));
                return "key-" + i;
            } catch (CosmosException e) {
                assertThat(e.getStatusCode()).isEqualTo(429);
            }
        }
    }

    private CosmosContainer container(String name, @Nullable ThroughputProperties throughput) {
        return container("db", name, throughput);
    }

    private CosmosContainer container(String database, String name, @Nullable ThroughputProperties throughput) {
        var properties = new CosmosContainerProperties(name, "/pk");
        client.getDatabase(database).createContainer(properties, throughput);
        return client.getDatabase(database).getContainer(name);
    }
}
