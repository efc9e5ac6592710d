package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexingIT {
    private static final SettableClock CLOCK = new SettableClock();

    @RegisterExtension
    static final RunningEmulator EMULATOR = new RunningEmulator(
            EmulatorConfig.inMemory().withPhysicalPartitions(1).withClock(CLOCK));

    @Nested
    class OrderBy {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM c ORDER BY c.a, c.b DESC",
                    "SELECT * FROM c ORDER BY c.a DESC, c.b ASC",
                    "SELECT * FROM root r ORDER BY r.a ASC, r.b DESC",
                    "SELECT * FROM c WHERE c.pk = 'a' ORDER BY c.a, c.b DESC"
                })
        void of_several_properties_is_served_by_a_composite_index_either_way(String sql) {
            assertThat(query(composite(), sql)).hasSize(1);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM c ORDER BY c.a, c.b",
                    "SELECT * FROM c ORDER BY c.b DESC, c.a",
                    "SELECT * FROM c ORDER BY c.a, c.b DESC, c.n",
                    "SELECT * FROM c WHERE c.pk = 'a' ORDER BY c.a, c.b"
                })
        void of_several_properties_without_composite_index_is_refused(String sql) {
            var container = composite();

            assertRefused(() -> query(container, sql), 400)
                    .extracting(CosmosException::getMessage)
                    .asString()
                    .contains("does not have a corresponding composite index");
        }

        @ParameterizedTest
        @ValueSource(strings = {"c.shut", "c.shut.deep", "c.open.shut", "c._etag"})
        void of_an_excluded_property_is_refused(String path) {
            var container = excluding();

            assertRefused(() -> query(container, "SELECT * FROM c ORDER BY " + path), 400)
                    .extracting(CosmosException::getMessage)
                    .asString()
                    .contains("The index path corresponding to the specified order-by item is excluded");
        }

        @ParameterizedTest
        @ValueSource(strings = {"c.open", "c.open.deep", "c.shut.but", "c._ts", "c.id", "c.anything"})
        void of_a_property_with_a_more_precise_path_is_served(String path) {
            assertThat(query(excluding(), "SELECT * FROM c WHERE c.pk = 'a' ORDER BY " + path))
                    .isEmpty();
        }

        @Test
        void in_a_container_without_index_is_refused() {
            var container = EMULATOR.container(properties -> properties.setIndexingPolicy(
                    new IndexingPolicy().setIndexingMode(IndexingMode.NONE).setAutomatic(false)));

            assertRefused(() -> query(container, "SELECT * FROM c ORDER BY c.n"), 400);
        }

        private CosmosContainer composite() {
            var paths = List.of(
                    new CompositePath().setPath("/a").setOrder(CompositePathSortOrder.ASCENDING),
                    new CompositePath().setPath("/b").setOrder(CompositePathSortOrder.DESCENDING));
            var container = EMULATOR.container(properties ->
                    properties.setIndexingPolicy(new IndexingPolicy().setCompositeIndexes(List.of(paths))));
            container.createItem(item("a", "1").put("a", 1).put("b", 2).put("n", 3));
            return container;
        }

        private CosmosContainer excluding() {
            var policy = new IndexingPolicy()
                    .setIncludedPaths(List.of(new IncludedPath("/*"), new IncludedPath("/shut/but/?")))
                    .setExcludedPaths(Stream.of("/shut/*", "/open/shut/?", "/\"_etag\"/?")
                            .map(ExcludedPath::new)
                            .toList());
            return EMULATOR.container(properties -> properties.setIndexingPolicy(policy));
        }
    }

    @Nested
    class UniqueKeys {
        @Test
        void hold_within_a_partition_key() {
            var container = unique("/mail");
            container.createItem(item("a", "1").put("mail", "x"));

            assertRefused(() -> container.createItem(item("a", "2").put("mail", "x")), 409)
                    .extracting(CosmosException::getMessage)
                    .asString()
                    .contains("Unique index constraint violation");
            container.createItem(item("b", "2").put("mail", "x"));
            container.createItem(item("a", "3").put("mail", "y"));
            assertRefused(() -> container.upsertItem(item("a", "3").put("mail", "x")), 409);
            container.upsertItem(item("a", "1").put("mail", "x").put("n", 1));
        }

        @Test
        void are_free_again_when_their_item_changes_or_goes() {
            var container = unique("/mail");
            container.createItem(item("a", "1").put("mail", "x"));
            container.upsertItem(item("a", "1").put("mail", "y"));
            container.createItem(item("a", "2").put("mail", "x"));
            container.deleteItem("2", new PartitionKey("a"), null);

            assertThat(container.createItem(item("a", "3").put("mail", "x")).getStatusCode())
                    .isEqualTo(201);
        }

        @Test
        void count_a_missing_property_as_null() {
            var container = unique("/mail");
            container.createItem(item("a", "1"));

            assertRefused(() -> container.createItem(item("a", "2")), 409);
            assertRefused(() -> container.createItem(item("a", "2").putNull("mail")), 409);
        }

        @Test
        void may_combine_properties() {
            var container = unique("/first", "/deep/last");
            var one = item("a", "1").put("first", 1);
            one.putObject("deep").put("last", 2);
            container.createItem(one);

            var other = item("a", "2").put("first", 1.0);
            other.putObject("deep").put("last", 2);
            assertRefused(() -> container.createItem(other), 409);
            assertThat(container.createItem(item("a", "3").put("first", 1)).getStatusCode())
                    .isEqualTo(201);
        }

        @Test
        void may_change_hands_within_a_batch() {
            var container = unique("/mail");
            container.createItem(item("a", "1").put("mail", "x"));
            var swap = CosmosBatch.createCosmosBatch(new PartitionKey("a"));
            swap.upsertItemOperation(item("a", "1").put("mail", "y"));
            swap.createItemOperation(item("a", "2").put("mail", "x"));
            var clash = CosmosBatch.createCosmosBatch(new PartitionKey("a"));
            clash.createItemOperation(item("a", "3").put("mail", "z"));
            clash.createItemOperation(item("a", "4").put("mail", "z"));

            assertThat(container.executeCosmosBatch(swap).isSuccessStatusCode()).isTrue();
            assertThat(container.executeCosmosBatch(clash).getStatusCode()).isEqualTo(409);
            assertThat(ids(query(container, "SELECT * FROM c"))).containsExactlyInAnyOrder("1", "2");
        }

        @Test
        void of_an_expired_item_are_free() {
            var container = EMULATOR.container(
                    properties -> properties.setUniqueKeyPolicy(policy("/mail")).setDefaultTimeToLiveInSeconds(5));
            container.createItem(item("a", "1").put("mail", "x"));
            assertRefused(() -> container.createItem(item("a", "2").put("mail", "x")), 409);

            CLOCK.advance(Duration.ofSeconds(6));
            container.createItem(item("a", "2").put("mail", "x"));
            container.createItem(item("a", "1").put("mail", "y"));

            assertRefused(() -> container.createItem(item("a", "3").put("mail", "x")), 409);
        }

        @Test
        void hold_in_the_halves_of_a_partition() {
            var container = unique("/mail");
            container.createItem(item("a", "1").put("mail", "x"));
            for (var range : EMULATOR.emulator().partitions().of("tests", container.getId())) {
                EMULATOR.emulator().partitions().split("tests", container.getId(), range.id());
            }

            assertRefused(() -> container.createItem(item("a", "2").put("mail", "x")), 409);
        }

        @Test
        void never_change() {
            var container = unique("/mail");
            var properties = container.read().getProperties();
            assertThat(properties.getUniqueKeyPolicy().getUniqueKeys())
                    .extracting(UniqueKey::getPaths)
                    .containsExactly(List.of("/mail"));

            properties.setUniqueKeyPolicy(policy("/other"));

            assertRefused(() -> container.replace(properties), 400);
        }

        private CosmosContainer unique(String... paths) {
            return EMULATOR.container(properties -> properties.setUniqueKeyPolicy(policy(paths)));
        }

        private UniqueKeyPolicy policy(String... paths) {
            return new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of(paths))));
        }
    }

    @Test
    void a_policy_with_a_path_that_is_none_is_refused() {
        var policy = new IndexingPolicy().setExcludedPaths(List.of(new ExcludedPath("no-slash")));
        var properties = new CosmosContainerProperties("wrong", "/pk").setIndexingPolicy(policy);

        assertRefused(() -> EMULATOR.database().createContainer(properties), 400);
    }
}
