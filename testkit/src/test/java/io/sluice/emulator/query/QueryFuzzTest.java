package io.sluice.emulator.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.query.value.EvaluationException;
import io.sluice.testkit.fuzz.Fuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Queries that are damaged, or drawn from the grammar: each runs over all documents, and is planned, or is refused as
 * the service would. Its written form means the same.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QueryFuzzTest {
    private static final Path TABLE = Path.of("..", "cosmos-emulator/src/test/resources/conformance/queries.json");
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456700Z");
    private static final List<String> ODD = List.of(
            "{}",
            "{\"a\":null,\"b\":[],\"n\":-0.0,\"s\":\"\",\"o\":{},\"list\":[[[]]],\"t\":true}",
            "{\"a\":9223372036854775807,\"b\":-9223372036854775808,\"n\":1e308,\"x\":1e-320,\"age\":-1e308}",
            "{\"a\":\"\\u0000\",\"b\":\"\\ud83d\\ude00\",\"s\":\"%_[a]^\",\"list\":[1,\"1\",true,null,{\"a\":1},[1]],\"n\":\"7\"}",
            "{\"a\":" + "[".repeat(300) + "]".repeat(300) + ",\"tags\":[\"a\",\"a\",null],\"id\":\"x\"}");

    private static final Map<String, JsonNode> PARAMETERS = new HashMap<>();
    private static final List<ObjectNode> DOCUMENTS = new ArrayList<>();
    private static final List<String> QUERIES = new ArrayList<>();

    @BeforeAll
    static void readTable() throws IOException {
        var table = Json.readObject(Files.readAllBytes(TABLE));
        table.path("datasets").forEach(documents -> documents.forEach(one -> DOCUMENTS.add((ObjectNode) one)));
        ODD.forEach(one -> DOCUMENTS.add(Json.readObject(one.getBytes(UTF_8))));
        PARAMETERS.put("@p", Json.readValue("\"a\"".getBytes(UTF_8)));
        PARAMETERS.put("@n", Json.readValue("2".getBytes(UTF_8)));
        PARAMETERS.put("@list", Json.readValue("[1,\"a\",null]".getBytes(UTF_8)));
        for (var entry : table.path("entries")) {
            for (var row : entry.path("cases")) {
                row.path("parameters")
                        .forEach(one -> PARAMETERS.put(one.path("name").asText(), one.get("value")));
                if (!row.has("error")) {
                    QUERIES.add(
                            row.has("expression")
                                    ? "SELECT VALUE " + row.path("expression").asText() + " FROM c"
                                    : row.path("query").asText());
                }
            }
        }
    }

    @Test
    void a_damaged_query_runs_or_is_refused() {
        Fuzz.of("damaged queries", QUERIES)
                .refusedBy(QuerySyntaxException.class)
                .runs(5_000)
                .read(QueryFuzzTest::run);
    }

    @Test
    void a_query_of_the_grammar_runs_or_is_refused() {
        var counts = Fuzz.drawn("queries of the grammar", DrawnQuery::from)
                .refusedBy(QuerySyntaxException.class)
                .runs(5_000)
                .read(QueryFuzzTest::run);

        assertThat(counts.read()).as("that run, of %s", counts).isGreaterThan(counts.refused() / 20);
    }

    @Test
    void what_is_written_of_a_query_reads_and_writes_the_same() {
        Fuzz.of("written queries", QUERIES)
                .refusedBy(QuerySyntaxException.class)
                .refusedBy(EvaluationException.class)
                .rewritten(sql -> QueryWriter.uncut(QueryParser.parse(sql)));
        Fuzz.drawn("written queries of the grammar", DrawnQuery::from)
                .refusedBy(QuerySyntaxException.class)
                .refusedBy(EvaluationException.class)
                .rewritten(sql -> QueryWriter.uncut(QueryParser.parse(sql)));
    }

    private static void run(String sql) throws JsonProcessingException {
        var query = CosmosQuery.parse(sql, PARAMETERS, () -> NOW);
        query.conditions();
        query.orderedPaths();
        query.partitionKeyEquality("/a/b");
        attempt(() -> query.plan().toJson(List.of(QueryPlan.Range.ALL)));
        attempt(query::orderByLimit);
        var results = results(query);
        var tree = QueryParser.parse(sql);
        if (isRepeatable(sql) && tree.selection().top() == null && tree.window() == null) {
            var written = QueryWriter.uncut(tree);
            assertThat(results(CosmosQuery.parse(written, PARAMETERS, () -> NOW)))
                    .as("results of what is written of it, %s", written)
                    .isEqualTo(results);
        }
    }

    /** What may be refused without the query being so. */
    private static void attempt(Runnable action) {
        try {
            action.run();
        } catch (QuerySyntaxException refused) {
            assertThat(refused.errors().toString()).contains("\"errors\"");
        }
    }

    /** As JSON that reads again, so that none is infinite or no number. */
    private static List<String> results(CosmosQuery query) throws JsonProcessingException {
        var results = new ArrayList<String>();
        var found = query.execute(DOCUMENTS.iterator());
        while (found.hasNext()) {
            var text = found.next().toString();
            Json.read(text);
            results.add(text);
        }
        return results;
    }

    private static boolean isRepeatable(String sql) {
        return !sql.toUpperCase(Locale.ROOT).contains("RAND");
    }
}
