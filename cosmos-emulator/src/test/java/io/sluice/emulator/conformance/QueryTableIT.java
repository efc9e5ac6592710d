package io.sluice.emulator.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of queries through the Java SDK, which plans and merges them over all partitions. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class QueryTableIT {
    private static final Map<String, CosmosContainer> CONTAINERS = new HashMap<>();
    private static Store store;

    @BeforeAll
    static void fill() {
        store = Store.open();
        QueryTable.datasets().forEach((name, documents) -> {
            var container = store.container(name);
            documents.forEach(container::createItem);
            CONTAINERS.put(name, container);
        });
    }

    @AfterAll
    static void close() {
        store.close();
    }

    static Set<String> names() {
        return QueryTable.expressions().keySet();
    }

    /**
     * All expressions of a name in one query, as properties of one object: undefined ones are missing. The values are
     * {@code FunctionTest}'s for each change.
     */
    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("names")
    void has_the_values_its_page_says(String name) {
        var rows = Objects.requireNonNull(QueryTable.expressions().get(name));
        var properties = IntStream.range(0, rows.size())
                .mapToObj(i -> "'v" + i + "': " + rows.get(i).expression())
                .collect(Collectors.joining(", "));

        var values = run(QueryTable.ONE, "SELECT VALUE {" + properties + "} FROM c", Map.of())
                .get(0);

        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            assertThat(row.isAnsweredBy(values.get("v" + i)))
                    .as("%s is %s by %s, was %s", row, row.expected(), row.source(), values.get("v" + i))
                    .isTrue();
        }
    }

    static List<QueryTable.Case> queries() {
        return QueryTable.queries();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queries")
    void answers_what_its_page_says(QueryTable.Case row) {
        assumeFalse(row.exceptions().containsKey("java"), () -> "" + row.exceptions());
        assumeTrue(store.isOurs() || !row.exceptions().containsKey("account"), () -> "" + row.exceptions());
        if (!row.error().isEmpty()) {
            var refusal = catchThrowableOfType(CosmosException.class, () -> run(row));
            assertThat(refusal).as(row.source()).isNotNull();
            assertThat(refusal.getStatusCode()).as(row.source()).isEqualTo(400);
            assertThat(refusal).as(row.source()).hasMessageContaining(row.error());
            return;
        }
        var results = run(row);

        assertThat(row.isAnsweredBy(results) || takenApart(row).equals(results))
                .as("%s, by %s, was %s", row.expected(), row.source(), results)
                .isTrue();
    }

    /** The Java SDK takes a result that is an array apart, and gives its elements. */
    private static List<JsonNode> takenApart(QueryTable.Case row) {
        var elements = new ArrayList<JsonNode>();
        row.expected().stream().filter(JsonNode::isArray).forEach(array -> array.forEach(elements::add));
        return elements;
    }

    private static List<JsonNode> run(QueryTable.Case row) {
        return run(row.dataset(), row.query(), row.parameters());
    }

    private static List<JsonNode> run(String dataset, String query, Map<String, JsonNode> values) {
        var parameters = values.entrySet().stream()
                .map(parameter -> new SqlParameter(parameter.getKey(), parameter.getValue()))
                .toList();
        return Objects.requireNonNull(CONTAINERS.get(dataset))
                .queryItems(new SqlQuerySpec(query, parameters), new CosmosQueryRequestOptions(), JsonNode.class)
                .stream()
                .toList();
    }
}
