package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ComputedProperty;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosContainerRequestOptions;
import com.azure.cosmos.models.CosmosDatabaseRequestOptions;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainersIT {
    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    @Test
    void queries_read_computed_properties_as_if_they_were_stored() {
        var container = computing(
                new ComputedProperty("cp_lower", "SELECT VALUE LOWER(c.name) FROM c"),
                new ComputedProperty("cp_square", "SELECT VALUE POWER(item.n, 2) FROM item"));
        container.createItem(item("a", "1").put("name", "ONE").put("n", 3));
        container.createItem(item("a", "2").put("name", "Two").put("cp_lower", "stored"));

        assertThat(ids(query(container, "SELECT * FROM c WHERE c.cp_lower = 'two'")))
                .containsExactly("2");
        assertThat(query(container, "SELECT * FROM c WHERE c.cp_lower = 'stored'"))
                .isEmpty();
        assertThat(query(container, "SELECT VALUE c.cp_square FROM c"))
                .extracting(JsonNode::asInt)
                .containsExactly(9);
        assertThat(query(container, "SELECT c.id, c['cp_lower'] AS low FROM c WHERE IS_DEFINED(c.cp_square)"))
                .singleElement()
                .returns("one", row -> row.path("low").asText());
        assertThat(query(container, "SELECT * FROM c WHERE c.id = '1'"))
                .singleElement()
                .returns(false, row -> row.has("cp_lower"));
        assertThat(query(container, "SELECT * FROM c WHERE c.id = '2'"))
                .singleElement()
                .as("what is stored under the same name")
                .returns("stored", row -> row.path("cp_lower").asText());
    }

    @Test
    void an_index_never_answers_for_a_computed_property() {
        var container = computing(new ComputedProperty("cp", "SELECT VALUE c.n % 10 FROM c"));
        IntStream.range(0, 300)
                .forEach(i -> container.createItem(item("a", "" + i).put("n", i).put("cp", -1)));

        assertThat(query(container, "SELECT * FROM c WHERE c.cp = 7")).hasSize(30);
        assertThat(query(container, "SELECT * FROM c WHERE c.cp = -1")).isEmpty();
        assertThat(query(container, "SELECT TOP 3 VALUE c.cp FROM c ORDER BY c.cp DESC"))
                .extracting(JsonNode::asInt)
                .containsExactly(9, 9, 9);
        assertThat(query(container, "SELECT c.cp, COUNT(1) AS n FROM c GROUP BY c.cp"))
                .hasSize(10);
    }

    @Test
    void a_computed_property_may_hide_the_partition_key() {
        var container = computing(new ComputedProperty("pk", "SELECT VALUE c.id FROM c"));
        container.createItem(item("a", "1"));
        container.createItem(item("1", "2"));

        assertThat(ids(query(container, "SELECT * FROM c WHERE c.pk = '1'"))).containsExactly("1");
    }

    @Test
    void computed_properties_change_with_the_container() {
        var container = computing(new ComputedProperty("cp", "SELECT VALUE 'before' FROM c"));
        container.createItem(item("a", "1"));
        var properties = container.read().getProperties();

        properties.setComputedProperties(List.of(new ComputedProperty("cp", "SELECT VALUE 'after' FROM c")));
        container.replace(properties);

        assertThat(query(container, "SELECT VALUE c.cp FROM c"))
                .extracting(JsonNode::asText)
                .containsExactly("after");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            id      | SELECT VALUE 1 FROM c
            cp      | SELECT c.n FROM c
            cp      | SELECT VALUE c.n FROM c WHERE c.n > 1
            cp      | SELECT DISTINCT VALUE c.n FROM c
            cp      | SELECT VALUE c.n FROM c ORDER BY c.n
            cp      | SELECT VALUE COUNT(1) FROM c
            cp      | SELECT VALUE t FROM c JOIN t IN c.tags
            cp      | SELECT VALUE 1
            cp      | SELECT VALUE GETCURRENTTIMESTAMP() FROM c
            cp      | SELECT VALUE RAND() FROM c
            cp      | SELECT VALUE (SELECT VALUE 1) FROM c
            cp      | SELECT VALUE @parameter FROM c
            cp      | nonsense
            """)
    void what_can_be_no_computed_property_is_refused(String name, String query) {
        assertRefused(() -> computing(new ComputedProperty(name, query)), 400);
    }

    @Test
    void computed_properties_have_names_of_their_own_and_are_few() {
        assertRefused(
                () -> computing(
                        new ComputedProperty("cp", "SELECT VALUE 1 FROM c"),
                        new ComputedProperty("cp", "SELECT VALUE 2 FROM c")),
                400);
        var many = IntStream.range(0, 21)
                .mapToObj(i -> new ComputedProperty("cp" + i, "SELECT VALUE 1 FROM c"))
                .toArray(ComputedProperty[]::new);
        assertRefused(() -> computing(many), 400);
        computing(Arrays.copyOf(many, 20));
    }

    @Test
    void a_policy_is_kept_without_kinds_and_excludes_etags() {
        var policy = new IndexingPolicy()
                .setIncludedPaths(List.of(new IncludedPath("/*")))
                .setExcludedPaths(List.of(new ExcludedPath("/big/*")));
        var container = EMULATOR.container(properties -> properties.setIndexingPolicy(policy));

        var kept = container.read().getProperties().getIndexingPolicy();

        assertThat(kept.getExcludedPaths()).extracting(ExcludedPath::getPath).containsExactly("/big/*", "/\"_etag\"/?");
        container.replace(container.read().getProperties());
        assertThat(container.read().getProperties().getIndexingPolicy().getExcludedPaths())
                .hasSize(2);
    }

    @Test
    void a_container_tells_what_it_holds() {
        var container = EMULATOR.container();
        IntStream.range(0, 10)
                .forEach(i -> container.createItem(item("key-" + i, "" + i).put("t", "x".repeat(2_000))));

        var read = container.read(new CosmosContainerRequestOptions().setQuotaInfoEnabled(true));

        assertThat(read.getResponseHeaders().get("x-ms-resource-usage"))
                .matches("documentSize=0;documentsSize=(2[0-9]);documentsCount=10;collectionSize=2[0-9]");
        assertThat(container.read().getResponseHeaders()).doesNotContainKey("x-ms-resource-usage");
    }

    @Test
    void partitions_split_for_throughput_that_they_have_not() {
        var properties = new CosmosContainerProperties("grown", "/pk");
        EMULATOR.database().createContainer(properties, ThroughputProperties.createManualThroughput(400));
        var container = EMULATOR.database().getContainer("grown");
        IntStream.range(0, 60).forEach(i -> container.createItem(item("key-" + i, "" + i)));
        var partitions = EMULATOR.emulator().partitions();
        assertThat(partitions.of("tests", "grown")).hasSize(4);

        container.replaceThroughput(ThroughputProperties.createManualThroughput(40_000));
        assertThat(partitions.of("tests", "grown")).hasSize(4);
        container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(60_000));

        assertThat(partitions.of("tests", "grown")).hasSize(6);
        assertThat(query(container, "SELECT * FROM c")).hasSize(60);
        container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(4_000));
        assertThat(partitions.of("tests", "grown")).as("they stay").hasSize(6);
    }

    @Test
    void a_deletion_may_have_a_condition() {
        var database = EMULATOR.client().getDatabase("conditions");
        EMULATOR.client().createDatabase("conditions");
        database.createContainer("c", "/pk");
        var container = database.getContainer("c");

        assertRefused(() -> container.delete(new CosmosContainerRequestOptions().setIfMatchETag("\"other\"")), 412);
        assertRefused(() -> database.delete(new CosmosDatabaseRequestOptions().setIfMatchETag("\"other\"")), 412);
        container.delete(new CosmosContainerRequestOptions()
                .setIfMatchETag(container.read().getProperties().getETag()));
        database.delete(new CosmosDatabaseRequestOptions()
                .setIfMatchETag(database.read().getProperties().getETag()));
    }

    private static CosmosContainer computing(ComputedProperty... properties) {
        return EMULATOR.container(container -> container.setComputedProperties(List.of(properties)));
    }
}
