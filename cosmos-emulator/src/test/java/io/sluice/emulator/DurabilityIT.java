package io.sluice.emulator;

import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurabilityIT {
    private static final PartitionKey A = new PartitionKey("a");

    @TempDir
    Path folder;

    @Test
    void a_folder_keeps_everything_over_a_restart() {
        String continuation;
        JsonNode stored;
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
                var client = Clients.builder(emulator).buildClient()) {
            client.createDatabase("db");
            var properties = new CosmosContainerProperties("things", "/pk").setDefaultTimeToLiveInSeconds(-1);
            var container = Clients.container(client.getDatabase("db"), properties);
            IntStream.range(0, 500).forEach(i -> container.createItem(item("key-" + i % 7, "" + i)));
            stored =
                    container.createItem(item("a", "kept").put("text", "größe")).getItem();
            container.createItem(item("a", "gone"));
            container.deleteItem("gone", A, null);
            var pages = container
                    .queryChangeFeed(
                            CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()),
                            JsonNode.class)
                    .iterableByPage();
            continuation = "";
            for (var page : pages) {
                continuation = page.getContinuationToken();
            }
        }

        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
                var client = Clients.builder(emulator).buildClient()) {
            var container = client.getDatabase("db").getContainer("things");
            assertThat(container.readItem("kept", A, ObjectNode.class).getItem())
                    .isEqualTo(stored);
            assertThat(query(container, "SELECT * FROM c")).hasSize(501);
            assertThat(container.read().getProperties().getDefaultTimeToLiveInSeconds())
                    .isEqualTo(-1);
            container.createItem(item("a", "later"));
            var later = container.queryChangeFeed(
                    CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation), JsonNode.class);
            assertThat(ids(later.stream().toList())).containsExactly("later");
        }
    }

    @Test
    void a_folder_keeps_its_partitions_and_what_was_bought() {
        List<PartitionRange> ranges;
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder).withPhysicalPartitions(2));
                var client = Clients.builder(emulator).buildClient()) {
            client.createDatabase("db");
            client.getDatabase("db")
                    .createContainer(
                            new CosmosContainerProperties("things", "/pk"),
                            ThroughputProperties.createManualThroughput(10_000));
            var container = client.getDatabase("db").getContainer("things");
            IntStream.range(0, 60).forEach(i -> container.createItem(item("key-" + i, "" + i)));
            emulator.partitions().split("db", "things", "0");
            emulator.partitions().merge("db", "things", "3", "1");
            IntStream.range(60, 80).forEach(i -> container.createItem(item("key-" + i, "" + i)));
            ranges = emulator.partitions().of("db", "things");
        }

        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
                var client = Clients.builder(emulator).buildClient()) {
            var container = client.getDatabase("db").getContainer("things");
            assertThat(emulator.partitions().of("db", "things")).isEqualTo(ranges);
            assertThat(ids(query(container, "SELECT * FROM c")))
                    .doesNotHaveDuplicates()
                    .hasSize(80);
            assertThat(container.readThroughput().getProperties().getManualThroughput())
                    .isEqualTo(10_000);
            container.createItem(item("key-80", "80"));
            assertThat(emulator.partitions().split("db", "things", "4")).hasSize(2);
        }
    }

    @Test
    void a_folder_serves_one_emulator_at_a_time() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder))) {
            assertThat(emulator.endpoint()).startsWith("http://127.0.0.1:");

            assertThatThrownBy(() -> CosmosEmulator.start(EmulatorConfig.inFolder(folder)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is another one using it");
        }
    }

    @Test
    void a_port_serves_one_emulator_at_a_time() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            int port = URI.create(emulator.endpoint()).getPort();

            assertThatThrownBy(
                            () -> CosmosEmulator.start(EmulatorConfig.inMemory().withPort(port)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("port " + port);
        }
    }

    @Test
    void a_thread_that_is_interrupted_may_split_restore_and_close() {
        var interrupted = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
        try (var client = Clients.builder(interrupted).buildClient()) {
            client.createDatabase("db");
            var container = Clients.container(client.getDatabase("db"), new CosmosContainerProperties("c", "/pk"));
            container.createItem(item("a", "1"));

            Thread.currentThread().interrupt();
            var point = interrupted.restorePoint("db", "c");
            interrupted.partitions().split("db", "c", "0");
            point.restore();
            assertThat(Thread.interrupted()).isTrue();

            container.createItem(item("a", "2"));
        }
        Thread.currentThread().interrupt();
        interrupted.close();
        assertThat(Thread.interrupted()).isTrue();
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
                var client = Clients.builder(emulator).buildClient()) {
            assertThat(ids(query(client.getDatabase("db").getContainer("c"), "SELECT * FROM c")))
                    .containsExactlyInAnyOrder("1", "2");
        }
    }

    @Test
    void closing_twice_is_fine() {
        var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));

        emulator.close();
        emulator.close();

        int port = URI.create(emulator.endpoint()).getPort();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
    }
}
