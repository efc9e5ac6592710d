package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Keys of the first version and hierarchical ones, in partitions that split. */
class PartitionKeysIT {
    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    @Test
    void the_first_version_serves_points_queries_and_the_feed_through_splits() {
        var container = container(new PartitionKeyDefinition()
                .setPaths(List.of("/pk"))
                .setKind(PartitionKind.HASH)
                .setVersion(PartitionKeyDefinitionVersion.V1));
        for (int i = 0; i < 100; i++) {
            container.createItem(item("key-" + i, "" + i));
        }
        splitAll(container);

        assertThat(EMULATOR.emulator().partitions().of("tests", container.getId()))
                .hasSize(8)
                .allSatisfy(range -> assertThat(range.itemCount()).isPositive());
        for (int i = 0; i < 100; i++) {
            assertThat(container
                            .readItem("" + i, new PartitionKey("key-" + i), ObjectNode.class)
                            .getStatusCode())
                    .isEqualTo(200);
        }
        assertThat(ids(query(container, "SELECT * FROM c")))
                .doesNotHaveDuplicates()
                .hasSize(100);
        assertThat(ids(changes(container))).doesNotHaveDuplicates().hasSize(100);
    }

    @Test
    void a_key_of_the_first_version_may_be_longer_than_what_is_hashed() {
        var container = container(new PartitionKeyDefinition()
                .setPaths(List.of("/pk"))
                .setKind(PartitionKind.HASH)
                .setVersion(PartitionKeyDefinitionVersion.V1));
        var key = "k".repeat(2_048);

        container.createItem(item(key, "1"));

        assertThat(container
                        .readItem("1", new PartitionKey(key), ObjectNode.class)
                        .getStatusCode())
                .isEqualTo(200);
        assertRefused(() -> container.createItem(item(key + "k", "1")), 400);
    }

    @Test
    void an_object_or_array_in_place_of_a_key_counts_as_none() {
        var container = container(new PartitionKeyDefinition().setPaths(List.of("/'pk'")));
        var nested = item("", "1");
        nested.putObject("pk").put("a", 1);
        var listed = item("", "2");
        listed.putArray("pk").add(1);

        container.createItem(nested, PartitionKey.NONE, null);
        container.createItem(listed, PartitionKey.NONE, null);

        assertThat(container
                        .readItem("2", PartitionKey.NONE, ObjectNode.class)
                        .getItem()
                        .path("pk")
                        .path(0)
                        .asInt())
                .isEqualTo(1);
        assertThat(ids(query(container, "SELECT * FROM c"))).containsExactly("1", "2");
    }

    @Test
    void a_hierarchical_key_is_queried_by_its_beginning() {
        var container = hierarchical();
        splitAll(container);

        assertThat(query(container, "SELECT * FROM c", beginning(new PartitionKeyBuilder().add("t1"))))
                .hasSize(20);
        assertThat(query(
                        container,
                        "SELECT * FROM c ORDER BY c.id",
                        beginning(new PartitionKeyBuilder().add("t1").add("u2"))))
                .hasSize(4);
        assertThat(query(container, "SELECT * FROM c WHERE c.tenant = 't2' AND c.user = 'u1'"))
                .hasSize(4);
        assertThat(query(container, "SELECT * FROM c WHERE c.tenant = 't2' AND c.user = 'u1' AND c.session = 's1'"))
                .hasSize(1);
    }

    @Test
    void a_hierarchical_key_must_be_whole_to_name_an_item() {
        var container = hierarchical();
        var whole = new PartitionKeyBuilder().add("t1").add("u1").add("s1").build();
        var part = new PartitionKeyBuilder().add("t1").add("u1").build();

        assertThat(container.readItem("t1-u1-s1", whole, ObjectNode.class).getStatusCode())
                .isEqualTo(200);
        assertRefused(() -> container.readItem("t1-u1-s1", part, ObjectNode.class), 400);
    }

    @Test
    void a_hierarchical_key_of_the_first_version_is_refused() {
        var definition = new PartitionKeyDefinition()
                .setPaths(List.of("/tenant", "/user"))
                .setKind(PartitionKind.MULTI_HASH)
                .setVersion(PartitionKeyDefinitionVersion.V1);

        assertRefused(() -> container(definition), 400);
    }

    private static CosmosContainer hierarchical() {
        var container = container(new PartitionKeyDefinition()
                .setPaths(List.of("/tenant", "/user", "/session"))
                .setKind(PartitionKind.MULTI_HASH)
                .setVersion(PartitionKeyDefinitionVersion.V2));
        for (int tenant = 0; tenant < 3; tenant++) {
            for (int n = 0; n < 20; n++) {
                var document = JsonNodeFactory.instance.objectNode();
                document.put("tenant", "t" + tenant).put("user", "u" + n % 5).put("session", "s" + n / 5);
                document.put("id", "t" + tenant + "-u" + n % 5 + "-s" + n / 5);
                container.createItem(document);
            }
        }
        return container;
    }

    private static CosmosContainer container(PartitionKeyDefinition definition) {
        return Clients.container(
                EMULATOR.database(),
                new CosmosContainerProperties(UUID.randomUUID().toString(), definition));
    }

    private static CosmosQueryRequestOptions beginning(PartitionKeyBuilder key) {
        return new CosmosQueryRequestOptions().setPartitionKey(key.build());
    }

    private static List<JsonNode> changes(CosmosContainer container) {
        return container
                .queryChangeFeed(
                        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()),
                        JsonNode.class)
                .stream()
                .toList();
    }

    private static void splitAll(CosmosContainer container) {
        for (var range : EMULATOR.emulator().partitions().of("tests", container.getId())) {
            EMULATOR.emulator().partitions().split("tests", container.getId(), range.id());
        }
    }
}
