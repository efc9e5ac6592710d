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
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
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
    void closing_twice_is_fine() {
        var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));

        emulator.close();
        emulator.close();

        int port = URI.create(emulator.endpoint()).getPort();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
    }
}
