package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class RestorePointIT {
    private static final PartitionKey A = new PartitionKey("a");

    @RegisterExtension
    static final RunningEmulator EMULATOR =
            new RunningEmulator(EmulatorConfig.inMemory().withContinuousBackup(true));

    @TempDir
    Path folder;

    /** Without a session: it would have seen what a restored container has no more. */
    private CosmosClient client;

    @BeforeEach
    void connect() {
        client = Clients.builder(EMULATOR.emulator())
                .consistencyLevel(ConsistencyLevel.EVENTUAL)
                .buildClient();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private CosmosContainer container() {
        return container(properties -> {});
    }

    private CosmosContainer container(Consumer<CosmosContainerProperties> change) {
        return client.getDatabase("tests")
                .getContainer(EMULATOR.container(change).getId());
    }

    @Test
    void items_feed_and_numbers_are_as_they_were() {
        var container = container();
        container.createItem(item("a", "1").put("n", 1));
        var fromThen = continuation(container);
        var point = EMULATOR.emulator().restorePoint("tests", container.getId());
        var rid = container.read().getProperties().getResourceId();
        var lost = container.createItem(item("a", "2"));
        container.replaceItem(item("a", "1").put("n", 2), "1", A, null);

        point.restore();

        assertThat(container.read().getProperties().getResourceId()).isEqualTo(rid);
        assertThat(query(container, "SELECT VALUE c.n FROM c ORDER BY c.n"))
                .extracting(JsonNode::asInt)
                .containsExactly(1);
        assertThat(changes(container, fromThen)).isEmpty();
        assertRefused(() -> container.readItem("1", A, withSession(lost.getSessionToken()), ObjectNode.class), 404)
                .returns(1002, CosmosException::getSubStatusCode);
        assertThat(container.createItem(item("a", "3")).getSessionToken()).isEqualTo(lost.getSessionToken());
        assertThat(changes(container, fromThen)).containsExactly("3");
    }

    @Test
    void versions_from_before_and_after_a_restore_have_other_etags() {
        var container = container();
        container.createItem(item("a", "1"));
        var point = EMULATOR.emulator().restorePoint("tests", container.getId());
        var etags = new HashSet<String>();
        for (int round = 0; round < 4; round++) {
            etags.add(container
                    .replaceItem(item("a", "1").put("n", round), "1", A, null)
                    .getETag());
            point.restore();
        }

        assertThat(etags).hasSize(4);
    }

    @Test
    void a_position_from_after_the_point_misses_what_is_written_next() {
        var container = container();
        container.createItem(item("a", "1"));
        var point = EMULATOR.emulator().restorePoint("tests", container.getId());
        container.createItem(item("a", "2"));
        container.createItem(item("a", "3"));
        var ahead = continuation(container);

        point.restore();
        container.createItem(item("a", "4"));

        assertThat(changes(container, ahead)).isEmpty();
    }

    @Test
    void a_point_serves_often_and_after_splits() {
        var container = container();
        for (int i = 0; i < 50; i++) {
            container.createItem(item("key-" + i, "" + i));
        }
        var partitions = EMULATOR.emulator().partitions();
        var point = EMULATOR.emulator().restorePoint("tests", container.getId());
        var ranges = partitions.of("tests", container.getId());
        partitions.split("tests", container.getId(), ranges.get(0).id());
        partitions.merge(
                "tests", container.getId(), ranges.get(2).id(), ranges.get(3).id());
        for (int i = 0; i < 50; i++) {
            container.upsertItem(item("key-" + i, "" + i).put("changed", true));
        }

        for (int restores = 0; restores < 2; restores++) {
            point.restore();

            assertThat(query(container, "SELECT * FROM c WHERE NOT IS_DEFINED(c.changed)"))
                    .hasSize(50);
            assertThat(partitions.of("tests", container.getId()).stream()
                            .mapToLong(PartitionRange::itemCount)
                            .sum())
                    .isEqualTo(50);
            container.deleteItem("0", new PartitionKey("key-0"), null);
        }
    }

    @Test
    void unique_keys_and_indexes_are_as_they_were() {
        var container = container(properties -> properties.setUniqueKeyPolicy(
                new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/name"))))));
        for (int i = 0; i < 200; i++) {
            container.createItem(item("a", "" + i).put("name", "name-" + i).put("n", i));
        }
        assertThat(query(container, "SELECT * FROM c WHERE c.n = 7")).hasSize(1);
        var point = EMULATOR.emulator().restorePoint("tests", container.getId());
        container.createItem(item("a", "later").put("name", "later").put("n", 7));
        container.deleteItem("1", A, null);

        point.restore();

        assertThat(ids(query(container, "SELECT * FROM c WHERE c.n = 7"))).containsExactly("7");
        assertRefused(() -> container.createItem(item("a", "other").put("name", "name-1")), 409);
        container.createItem(item("a", "other").put("name", "later"));
    }

    @Test
    void a_unique_key_stays_with_the_live_item_that_took_it_from_an_expired_one() {
        var clock = new SettableClock();
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withClock(clock));
                var other = Clients.builder(emulator).buildClient()) {
            other.createDatabase("db");
            var properties = new CosmosContainerProperties("c", "/pk")
                    .setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/name")))))
                    .setDefaultTimeToLiveInSeconds(-1);
            var container = Clients.container(other.getDatabase("db"), properties);
            container.createItem(item("a", "live").put("name", "other"));
            container.createItem(item("a", "expired").put("name", "taken").put("ttl", 1));
            clock.advance(Duration.ofSeconds(5));
            container.upsertItem(item("a", "live").put("name", "taken"));
            var range = emulator.partitions().of("db", "c").stream()
                    .filter(one -> one.itemCount() > 0)
                    .findFirst();
            var point = emulator.restorePoint("db", "c");

            emulator.partitions().split("db", "c", range.orElseThrow().id());
            assertRefused(() -> container.createItem(item("a", "third").put("name", "taken")), 409);
            point.restore();
            assertRefused(() -> container.createItem(item("a", "third").put("name", "taken")), 409);
        }
    }

    @Test
    void a_restored_folder_stays_restored() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
                var client = Clients.builder(emulator).buildClient()) {
            client.createDatabase("db");
            var container = Clients.container(client.getDatabase("db"), new CosmosContainerProperties("c", "/pk"));
            container.createItem(item("a", "1"));
            var point = emulator.restorePoint("db", "c");
            container.createItem(item("a", "2"));
            point.restore();
            container.createItem(item("a", "3"));
        }
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
                var client = Clients.builder(emulator).buildClient()) {
            var container = client.getDatabase("db").getContainer("c");
            assertThat(ids(query(container, "SELECT * FROM c"))).containsExactly("1", "3");
        }
    }

    @Test
    void a_container_that_is_deleted_since_is_another() {
        var emulator = EMULATOR.emulator();
        var container = container();
        var point = emulator.restorePoint("tests", container.getId());
        container.delete();
        EMULATOR.database().createContainer(container.getId(), "/pk");

        assertThatThrownBy(point::restore).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () -> emulator.restorePoint("tests", UUID.randomUUID().toString()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static CosmosItemRequestOptions withSession(String token) {
        return new CosmosItemRequestOptions()
                .setConsistencyLevel(ConsistencyLevel.SESSION)
                .setSessionToken(token);
    }

    private static String continuation(CosmosContainer container) {
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange());
        var last = "";
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            last = page.getContinuationToken();
        }
        return last;
    }

    private static List<String> changes(CosmosContainer container, String continuation) {
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation);
        return ids(container.queryChangeFeed(options, JsonNode.class).stream().toList());
    }
}
