package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.implementation.RequestTimeline;
import com.azure.cosmos.implementation.query.PartitionedQueryExecutionInfo;
import com.azure.cosmos.implementation.query.QueryInfo;
import com.azure.cosmos.implementation.query.SortOrder;
import com.azure.cosmos.implementation.query.aggregation.AggregateOperator;
import com.azure.cosmos.implementation.routing.Range;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans as the service makes them (query plan baselines of the .NET SDK), and as the Java SDK reads them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class QueryPlanTest {
    private static final String FILTER = "({documentdb-formattableorderbyquery-filter})";

    private static QueryInfo readBySdk(String sql) {
        return planReadBySdk(sql).getQueryInfo();
    }

    private static PartitionedQueryExecutionInfo planReadBySdk(String sql) {
        return new PartitionedQueryExecutionInfo(
                Queries.plan(sql).toJson(List.of(QueryPlan.Range.ALL)), RequestTimeline.empty());
    }

    private static String flat(String sql) {
        return sql.replaceAll("\\s+", " ").replace("( ", "(");
    }

    @Nested
    final class A_query_whose_results_need_no_merging {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM c",
                    "SELECT c.a, c.b AS x FROM c WHERE c.pk = 'a'",
                    "SELECT VALUE t FROM c JOIN t IN c.tags",
                    "SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 1)",
                    "SELECT (SELECT VALUE COUNT(1) FROM t IN c.tags) AS n FROM c",
                    "SELECT * FROM (SELECT VALUE c FROM c WHERE c.a = 1) AS x",
                    "SELECT VALUE 1"
                })
        void passes_through(String sql) {
            QueryInfo info = readBySdk(sql);

            assertThat(Queries.plan(sql).isPassThrough()).isTrue();
            assertThat(info.hasRewrittenQuery()).isFalse();
            assertThat(info.hasOrderBy()).isFalse();
            assertThat(info.hasAggregates()).isFalse();
            assertThat(info.hasDistinct()).isFalse();
            assertThat(info.hasGroupBy()).isFalse();
            assertThat(info.hasTop()).isFalse();
            assertThat(info.hasOffset()).isFalse();
            assertThat(info.hasLimit()).isFalse();
            assertThat(info.hasDCount()).isFalse();
            assertThat(info.hasNonStreamingOrderBy()).isFalse();
        }

        @Test
        void says_whether_its_results_are_bare_values() {
            assertThat(readBySdk("SELECT VALUE c.a FROM c").hasSelectValue()).isTrue();
            assertThat(readBySdk("SELECT c.a FROM c").hasSelectValue()).isFalse();
        }
    }

    @Nested
    final class Rewriting {
        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                quoteCharacter = '`',
                value = {
                    "SELECT * FROM Root r ORDER BY r.blah"
                            + "#SELECT r._rid, [{\"item\": r.blah}] AS orderByItems, r AS payload FROM Root AS r WHERE "
                            + FILTER + " ORDER BY r.blah",
                    "SELECT * FROM Root r ORDER BY r.key DESC"
                            + "#SELECT r._rid, [{\"item\": r.key}] AS orderByItems, r AS payload FROM Root AS r WHERE "
                            + FILTER + " ORDER BY r.key DESC",
                    "SELECT * FROM Root r WHERE r.key = 'key' ORDER BY r.key"
                            + "#SELECT r._rid, [{\"item\": r.key}] AS orderByItems, r AS payload FROM Root AS r WHERE "
                            + "((r.key = \"key\") AND " + FILTER + ") ORDER BY r.key",
                    "SELECT TOP 10 * FROM Root r ORDER BY r.key"
                            + "#SELECT TOP 10 r._rid, [{\"item\": r.key}] AS orderByItems, r AS payload FROM Root AS r"
                            + " WHERE " + FILTER + " ORDER BY r.key",
                    "SELECT c.blah, c.blah2 FROM Root c ORDER BY c.key"
                            + "#SELECT c._rid, [{\"item\": c.key}] AS orderByItems,"
                            + " {\"blah\": c.blah, \"blah2\": c.blah2} AS payload FROM Root AS c WHERE " + FILTER
                            + " ORDER BY c.key",
                    "SELECT VALUE c.blah FROM Root c ORDER BY c.key"
                            + "#SELECT c._rid, [{\"item\": c.key}] AS orderByItems, c.blah AS payload FROM Root AS c"
                            + " WHERE (" + FILTER + " AND IS_DEFINED(c.blah)) ORDER BY c.key",
                    "SELECT VALUE r.a FROM r WHERE r.d = true ORDER BY r.b"
                            + "#SELECT r._rid, [{\"item\": r.b}] AS orderByItems, r.a AS payload FROM r WHERE"
                            + " (((r.d = true) AND " + FILTER + ") AND IS_DEFINED(r.a)) ORDER BY r.b",
                    "SELECT TOP 50 r[0] FROM r ORDER BY r.key ASC"
                            + "#SELECT TOP 50 r._rid, [{\"item\": r.key}] AS orderByItems, {\"$1\": r[0]} AS payload"
                            + " FROM r WHERE " + FILTER + " ORDER BY r.key ASC",
                    "SELECT * FROM c ORDER BY c.x, c.y DESC"
                            + "#SELECT c._rid, [{\"item\": c.x}, {\"item\": c.y}] AS orderByItems, c AS payload FROM c"
                            + " WHERE " + FILTER + " ORDER BY c.x, c.y DESC",
                    "SELECT * FROM c ORDER BY c.x OFFSET 5 LIMIT 10"
                            + "#SELECT c._rid, [{\"item\": c.x}] AS orderByItems, c AS payload FROM c WHERE " + FILTER
                            + " ORDER BY c.x OFFSET 0 LIMIT 15",
                    "SELECT VALUE AVG(c.blah) FROM c"
                            + "#SELECT VALUE [{\"item\": {\"sum\": SUM(c.blah), \"count\": COUNT(c.blah)}}] FROM c",
                    "SELECT AVG(c.blah) FROM c"
                            + "#SELECT {\"$1\": {\"item\": {\"sum\": SUM(c.blah), \"count\": COUNT(c.blah)}}} AS payload"
                            + " FROM c",
                    "SELECT VALUE MIN(c.blah + 1) FROM c"
                            + "#SELECT VALUE [{\"item\": MIN((c.blah + 1)), \"item2\": {\"min\": MIN((c.blah + 1)),"
                            + " \"count\": COUNT((c.blah + 1))}}] FROM c",
                    "SELECT VALUE MAX(c.blah) FROM c WHERE c.key > 1"
                            + "#SELECT VALUE [{\"item\": MAX(c.blah), \"item2\": {\"max\": MAX(c.blah),"
                            + " \"count\": COUNT(c.blah)}}] FROM c WHERE (c.key > 1)",
                    "SELECT VALUE COUNT(1) FROM c#SELECT VALUE [{\"item\": COUNT(1)}] FROM c",
                    "SELECT TOP 5 VALUE SUM(c.n) FROM c#SELECT VALUE [{\"item\": SUM(c.n)}] FROM c",
                    "SELECT COUNT(1) AS n, MIN(c.x) AS least FROM c"
                            + "#SELECT {\"n\": {\"item\": COUNT(1)}, \"least\": {\"item\": MIN(c.x), \"item2\":"
                            + " {\"min\": MIN(c.x), \"count\": COUNT(c.x)}}} AS payload FROM c",
                    "SELECT VALUE c.age FROM c GROUP BY c.age"
                            + "#SELECT [{\"item\": c.age}] AS groupByItems, c.age AS payload FROM c GROUP BY c.age",
                    "SELECT VALUE COUNT(1) FROM c GROUP BY c.age"
                            + "#SELECT [{\"item\": c.age}] AS groupByItems, [{\"item\": COUNT(1)}] AS payload FROM c"
                            + " GROUP BY c.age",
                    "SELECT c.age, c.name, COUNT(1) AS n FROM c GROUP BY c.age, c.name"
                            + "#SELECT [{\"item\": c.age}, {\"item\": c.name}] AS groupByItems, {\"age\": c.age,"
                            + " \"name\": c.name, \"n\": {\"item\": COUNT(1)}} AS payload FROM c GROUP BY c.age, c.name",
                    "SELECT c.name, UPPER(c.name) FROM c GROUP BY c.name"
                            + "#SELECT [{\"item\": c.name}] AS groupByItems, {\"name\": c.name, \"$1\": UPPER(c.name)}"
                            + " AS payload FROM c GROUP BY c.name",
                    "SELECT DISTINCT TOP 5 VALUE c.name FROM c#SELECT DISTINCT VALUE c.name FROM c",
                    "SELECT DISTINCT * FROM c WHERE c.key = 5 OFFSET 1 LIMIT 2"
                            + "#SELECT DISTINCT * FROM c WHERE (c.key = 5)",
                    "SELECT * FROM c OFFSET 1 LIMIT 2#SELECT * FROM c OFFSET 0 LIMIT 3",
                    "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.x FROM c)#SELECT DISTINCT VALUE c.x FROM c",
                    "SELECT VALUE COUNT(1) FROM (SELECT VALUE c.x FROM c)"
                            + "#SELECT VALUE [{\"item\": COUNT(1)}] FROM (SELECT VALUE c.x FROM c)",
                    "SELECT VALUE COUNT(1) FROM c WHERE 10 .x = 1#SELECT VALUE [{\"item\": COUNT(1)}] FROM c"
                            + " WHERE ((10).x = 1)"
                })
        void is_the_service_s_and_parses_again(String sql, String rewritten) {
            String text = Queries.plan(sql).rewrittenQuery();

            assertThat(flat(text)).isEqualTo(rewritten);
            assertThat(CosmosQuery.parse(text.replace("{documentdb-formattableorderbyquery-filter}", "true"), Map.of()))
                    .isNotNull();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT TOP 5 * FROM c WHERE c.blah = 5",
                    "SELECT DISTINCT c.blah FROM c",
                    "SELECT DISTINCT VALUE c.blah FROM c"
                })
        void is_not_needed_where_partitions_answer_the_query_as_it_is(String sql) {
            assertThat(Queries.plan(sql).rewrittenQuery()).isEmpty();
            assertThat(Queries.plan(sql).isPassThrough()).isFalse();
        }

        @Test
        void keeps_every_kind_of_expression() {
            String sql =
                    "SELECT VALUE MAX(c.a ?? -c.b) FROM c WHERE NOT (c.x IN (1, @p) OR c['b c'] LIKE 'a%' ESCAPE '!')"
                            + " AND c.y NOT BETWEEN 1 AND 2 AND (c.z ? 'it''' : ~c.w) = ARRAY(SELECT VALUE t.a FROM t IN c.tags)";
            String valid = sql.replace("'it'''", "'it\\'s \\\"'");

            String once = Queries.plan(valid).rewrittenQuery();

            assertThat(CosmosQuery.parse(once, Map.of())).isNotNull();
            assertThat(once)
                    .contains("c[\"b c\"] LIKE \"a%\" ESCAPE \"!\"", "\"it's \\\"\"", "@p", "NOT BETWEEN")
                    .contains("(c.a ?? (-c.b))");
        }
    }

    @Nested
    final class The_sdk_reads {
        @Test
        void order_and_the_expressions_it_resumes_by() {
            QueryInfo info = readBySdk("SELECT * FROM c WHERE c.a = 1 ORDER BY c.x, c['order'] DESC");

            assertThat(info.getOrderBy()).containsExactly(SortOrder.Ascending, SortOrder.Descending);
            assertThat(info.getOrderByExpressions()).containsExactly("c.x", "c[\"order\"]");
        }

        @Test
        void aggregates_of_values_and_of_columns() {
            assertThat(readBySdk("SELECT VALUE AVG(c.x) FROM c").getAggregates())
                    .containsExactly(AggregateOperator.Average);

            QueryInfo columns = readBySdk("SELECT c.k, COUNT(1) AS n FROM c GROUP BY c.k");

            assertThat(columns.hasGroupBy()).isTrue();
            assertThat(columns.getGroupByAliases()).containsExactly("k", "n");
            assertThat(columns.getGroupByAliasToAggregateType().toString()).contains("k=null", "n=Count");
        }

        @Test
        void top_and_window_with_parameters_bound() {
            Map<String, JsonNode> parameters = Queries.parameters("{'n': 42, 'skip': 3, 'take': 4}");
            QueryPlan top =
                    CosmosQuery.parse("SELECT TOP @n * FROM c", parameters).plan();
            QueryPlan window = CosmosQuery.parse("SELECT * FROM c OFFSET @skip LIMIT @take", parameters)
                    .plan();

            assertThat(top.top()).isEqualTo(42L);
            assertThat(window.offset()).isEqualTo(3L);
            assertThat(window.limit()).isEqualTo(4L);
            assertThat(window.rewrittenQuery()).endsWith("OFFSET 0 LIMIT 7");
        }

        @Test
        void distinct_as_ordered_when_equal_results_follow_each_other() {
            assertThat(Queries.plan("SELECT DISTINCT c.x FROM c").distinctType())
                    .isEqualTo("Unordered");
            assertThat(Queries.plan("SELECT DISTINCT VALUE c.x FROM c ORDER BY c.x")
                            .distinctType())
                    .isEqualTo("Ordered");
            assertThat(Queries.plan("SELECT DISTINCT c.x, c.y FROM c ORDER BY c.x")
                            .distinctType())
                    .isEqualTo("Unordered");
        }

        @Test
        void distinct_results_that_are_only_counted() {
            QueryInfo value = readBySdk("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.x FROM c)");
            QueryInfo named = readBySdk("SELECT COUNT(1) AS n FROM (SELECT DISTINCT c.x FROM c) AS d");

            assertThat(value.hasDCount()).isTrue();
            assertThat(value.getDCountAlias()).isEmpty();
            assertThat(value.hasAggregates()).isFalse();
            assertThat(named.hasDCount()).isTrue();
            assertThat(named.getDCountAlias()).isEqualTo("n");
        }

        @Test
        void the_ranges_it_is_to_ask() {
            PartitionedQueryExecutionInfo plan = planReadBySdk("SELECT * FROM c");

            assertThat(plan.getVersion()).isEqualTo(2);
            assertThat(plan.hasHybridSearchQueryInfo()).isFalse();
            assertThat(plan.getQueryRanges()).singleElement().satisfies(range -> {
                assertThat(range.getMin()).isEmpty();
                assertThat(range.getMax()).isEqualTo("FF");
                assertThat(range).isInstanceOf(Range.class);
            });
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT VALUE {'sum': SUM(c.r)} FROM c#Compositions of aggregates",
                "SELECT MIN(c.blah) / 2 FROM c#Compositions of aggregates",
                "SELECT c.name, ABS(AVG(c.age)) AS a FROM c GROUP BY c.name#Compositions of aggregates",
                "SELECT VALUE SUM(x.n) FROM (SELECT TOP 5 c.n FROM c) AS x#A subquery in FROM",
                "SELECT DISTINCT COUNT(1) FROM c#'DISTINCT' with GROUP BY or aggregates"
            })
    void what_cannot_be_merged_has_no_plan(String sql, String reason) {
        assertThatThrownBy(() -> Queries.plan(sql))
                .isInstanceOf(QuerySyntaxException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void the_features_a_client_needs_are_named() {
        assertThat(Queries.plan("SELECT TOP 1 c.k, COUNT(1) AS n FROM c GROUP BY c.k")
                        .requiredFeatures())
                .contains("Top", "GroupBy", "MultipleAggregates");
        assertThat(Queries.plan("SELECT VALUE COUNTIF(c.x = 1) FROM c").requiredFeatures())
                .contains("CountIf", "Aggregate");
    }
}
