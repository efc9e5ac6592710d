package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.IndexingPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.JavaClients;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the official SDK merges from four partitions by our plans is what one run over all documents gives. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class MergedQueryIT {
    private static final int DOCUMENTS = 64;
    private static final int SMALL_PAGE = 7;

    private static final List<ObjectNode> ALL = new ArrayList<>();
    private static CosmosEmulator emulator;
    private static CosmosClient client;
    private static CosmosContainer container;

    @BeforeAll
    static void fill() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        client = JavaClients.builder(emulator)
                .contentResponseOnWriteEnabled(true)
                .buildClient();
        client.createDatabase("d");
        var composites = new IndexingPolicy()
                .setCompositeIndexes(List.of(
                        List.of(path("/kind", true), path("/n", false), path("/id", false)),
                        List.of(path("/n", false), path("/id", false)),
                        List.of(path("/kind", false), path("/n", true)),
                        List.of(path("/kind", true), path("/mixed", false))));
        client.getDatabase("d")
                .createContainer(new CosmosContainerProperties("c", "/pk").setIndexingPolicy(composites));
        container = client.getDatabase("d").getContainer("c");
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < DOCUMENTS; i++) {
            ALL.add(container.createItem(document(i, random)).getItem());
        }
    }

    @AfterAll
    static void close() {
        client.close();
        emulator.close();
    }

    private static CompositePath path(String path, boolean descending) {
        return new CompositePath()
                .setPath(path)
                .setOrder(descending ? CompositePathSortOrder.DESCENDING : CompositePathSortOrder.ASCENDING);
    }

    private static ObjectNode document(int i, SplittableRandom random) {
        ObjectNode document = JsonValues.object();
        document.put("id", "i" + i).put("pk", "p" + random.nextInt(20));
        document.put("n", random.nextInt(30)).put("half", random.nextInt(20) / 2.0);
        document.put("kind", "k" + random.nextInt(4));
        document.putArray("tags").add(random.nextInt(3)).add("t" + random.nextInt(3));
        switch (random.nextInt(6)) {
            case 0 -> document.putNull("mixed");
            case 1 -> document.put("mixed", random.nextBoolean());
            case 2 -> document.put("mixed", random.nextInt(5));
            case 3 -> document.put("mixed", "s" + random.nextInt(5));
            case 4 -> document.put("mixed", random.nextInt(10) / 4.0);
            default -> document.put("sparse", random.nextInt(5));
        }
        return document;
    }

    private static List<JsonNode> merged(String sql) {
        List<JsonNode> results = new ArrayList<>();
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions();
        container
                .queryItems(sql, options, JsonNode.class)
                .iterableByPage(SMALL_PAGE)
                .forEach(page -> results.addAll(page.getResults()));
        return results;
    }

    /** One page, then a new request with its continuation, to the end: as a program does between two web requests. */
    private static List<JsonNode> resumed(String sql) {
        List<JsonNode> results = new ArrayList<>();
        String continuation = null;
        do {
            Iterable<FeedResponse<JsonNode>> pages = container
                    .queryItems(sql, new CosmosQueryRequestOptions(), JsonNode.class)
                    .iterableByPage(continuation, SMALL_PAGE);
            Iterator<FeedResponse<JsonNode>> first = pages.iterator();
            FeedResponse<JsonNode> page = first.next();
            results.addAll(page.getResults());
            continuation = page.getContinuationToken();
        } while (continuation != null);
        return results;
    }

    private static List<JsonNode> direct(String sql) {
        List<JsonNode> results = new ArrayList<>();
        CosmosQuery.parse(sql, Map.of()).execute(ALL.iterator()).forEachRemaining(results::add);
        return results;
    }

    private static List<JsonNode> canonical(List<JsonNode> results) {
        return results.stream().map(JsonValues::canonical).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c",
                "SELECT VALUE c.id FROM c WHERE c.n > 10",
                "SELECT c.id, t FROM c JOIN t IN c.tags WHERE IS_STRING(t)",
                "SELECT VALUE c.mixed FROM c",
                "SELECT DISTINCT c.kind FROM c",
                "SELECT DISTINCT VALUE c.mixed FROM c",
                "SELECT DISTINCT VALUE c.half FROM c",
                "SELECT VALUE COUNT(1) FROM c",
                "SELECT VALUE COUNT(c.sparse) FROM c",
                "SELECT VALUE SUM(c.half) FROM c",
                "SELECT VALUE AVG(c.n) FROM c WHERE c.kind = 'k1'",
                "SELECT VALUE MIN(c.mixed) FROM c",
                "SELECT VALUE MAX(c.mixed) FROM c",
                "SELECT VALUE MAX(c.id) FROM c",
                "SELECT COUNT(1) AS n, SUM(c.n) AS total, MIN(c.half) AS least FROM c",
                "SELECT c.kind, COUNT(1) AS n, MAX(c.n) AS most FROM c GROUP BY c.kind",
                "SELECT c.kind, c.sparse, COUNT(1) AS n FROM c GROUP BY c.kind, c.sparse",
                "SELECT VALUE c.kind FROM c GROUP BY c.kind",
                "SELECT VALUE COUNT(1) FROM c GROUP BY c.kind",
                "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.kind FROM c)",
                "SELECT VALUE COUNT(1) FROM (SELECT VALUE c.sparse FROM c)",
                "SELECT COUNT(1) AS n FROM (SELECT DISTINCT c.kind, c.n FROM c) AS d"
            })
    void results_in_any_order_are_all_there(String sql) {
        assertThat(canonical(merged(sql))).containsExactlyInAnyOrderElementsOf(canonical(direct(sql)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.n FROM c ORDER BY c.n",
                "SELECT VALUE c.n FROM c ORDER BY c.n DESC",
                "SELECT c.mixed FROM c ORDER BY c.mixed",
                "SELECT c.mixed FROM c ORDER BY c.mixed DESC",
                "SELECT c.kind, c.n, c.id FROM c ORDER BY c.kind DESC, c.n ASC, c.id",
                "SELECT TOP 9 c.n, c.id FROM c ORDER BY c.n, c.id",
                "SELECT c.n, c.id FROM c ORDER BY c.n, c.id OFFSET 5 LIMIT 20",
                "SELECT DISTINCT VALUE c.kind FROM c ORDER BY c.kind",
                "SELECT DISTINCT VALUE c.half FROM c ORDER BY c.half DESC",
                "SELECT TOP 3 VALUE c.kind FROM c WHERE c.kind > 'k0' ORDER BY c.kind"
            })
    void ordered_results_come_in_order(String sql) {
        assertThat(canonical(merged(sql))).isEqualTo(canonical(direct(sql)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.id FROM c",
                "SELECT VALUE c.id FROM c ORDER BY c.n",
                "SELECT VALUE c.id FROM c ORDER BY c.n DESC",
                "SELECT VALUE c.id FROM c ORDER BY c.kind",
                "SELECT VALUE c.id FROM c ORDER BY c.mixed",
                "SELECT VALUE c.id FROM c ORDER BY c.mixed DESC",
                "SELECT VALUE c.id FROM c ORDER BY c.kind, c.n DESC",
                "SELECT VALUE c.id FROM c ORDER BY c.kind DESC, c.mixed",
                "SELECT VALUE c.id FROM c JOIN t IN c.tags WHERE IS_STRING(t)"
            })
    void a_query_that_is_resumed_at_every_page_gives_each_result_once(String sql) {
        List<JsonNode> results = resumed(sql);

        assertThat(results).as("no result twice").doesNotHaveDuplicates();
        assertThat(results).containsExactlyInAnyOrderElementsOf(direct(sql));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 50, 500})
    void top_and_limit_take_no_more_than_asked(int count) {
        int expected = Math.min(count, DOCUMENTS);

        assertThat(merged("SELECT TOP " + count + " * FROM c")).hasSize(expected);
        assertThat(merged("SELECT * FROM c OFFSET 0 LIMIT " + count)).hasSize(expected);
        assertThat(merged("SELECT * FROM c OFFSET 50 LIMIT " + count)).hasSize(Math.min(count, DOCUMENTS - 50));
    }

    @Test
    void a_sum_of_words_is_no_number() {
        List<JsonNode> results = merged("SELECT VALUE SUM(c.kind) FROM c");

        assertThat(results).hasSizeLessThanOrEqualTo(1).allMatch(JsonNode::isNull);
    }
}
