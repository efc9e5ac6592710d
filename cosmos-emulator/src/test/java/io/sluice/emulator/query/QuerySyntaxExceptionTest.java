package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class QuerySyntaxExceptionTest {

    private static QuerySyntaxException refusalOf(String sql) {
        return catchThrowableOfType(QuerySyntaxException.class, () -> CosmosQuery.parse(sql, Map.of()));
    }

    /**
     * Codes, positions and words of the first rows: query plan baselines of the .NET SDK, and measured on an account.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT BADFUNC(r.age) FROM Root r#SC2005#7#'BADFUNC' is not a recognized built-in function name.",
                "SELECT * FROM Root r WHERE STARTSWITH(r.key, 'a', 'b', 'c')"
                        + "#SC2050#27#The STARTSWITH function requires 2 to 3 argument(s).",
                "SELECT TOP -1 c.name FROM c#SC1001#11#Syntax error, incorrect syntax near '-'.",
                "SELECT c.name FROM c OFFSET -1 LIMIT 10#SC1001#28#Syntax error, incorrect syntax near '-'.",
                "SELECT TOP 4294967296 c.name FROM c#SC2060#11#The count value provided for TOP",
                "SELECT * FROM c ORDER BY LOWER(c.f)#2206#25#could not be mapped to a document path",
                "SELECT * FROM c GROUP BY c.age#SC2041#0#'SELECT *' is not allowed with GROUP BY.",
                "SELECT c.name, COUNT(1) AS n FROM c#SC2102#0#Property reference 'c.name' is invalid",
                "SELECT VALUE MAX(MIN(r)) From r#SC2101#17#within another aggregate",
                "SELECT 1;#SC1010#8#invalid token ';'",
                "  -- nothing#SC1002#0#empty",
                "SELECT c.a, c.b AS a FROM c#SC2022#12#'a' is used more than once",
                "INSERT INTO c#SC1001#0#near 'INSERT'",
                "SELECT * FORM c#SC1001#9#near 'FORM'",
                "SELECT * FROM c WHERE#SC1001#21#unexpected end",
                "SELECT * FROM c WHERE c.x = 'open#SC1010#28#invalid token '''",
                "SELECT * FROM c WHERE x.a = 1#SC2001#22#Identifier 'x' could not be resolved.",
                "SELECT * FROM c WHERE c.a = TRUE#SC2001#28#'TRUE' could not be resolved",
                "SELECT c.id FROM c JOIN t IN d.tags#SC2001#29#'d' could not be resolved",
                "SELECT c.id FROM c JOIN c IN c.tags#SC2022#24#'c' is used more than once",
                "SELECT * FROM c JOIN t IN c.tags#SC2040#7#single input set",
                "SELECT *#SC2040#7#single input set",
                "SELECT c.order FROM c#SC1001#9#near 'order'",
                "SELECT udf.f(c.x) FROM c#SC3100#7#'udf.f'",
                "SELECT * FROM c WHERE COUNT(1) > 1#SC2101#22#only supported in the select list",
                "SELECT VALUE ALL(SELECT VALUE t FROM t IN c.tags) FROM c#SC3100#13#'ALL' over a subquery",
                "SELECT * FROM c ORDER BY RANK FullTextScore(c.text, 'a')#SC3100#16#'ORDER BY RANK'",
                "SELECT * FROM c WHERE ST_DISTANCE(c.a, c.b) < 1#SC3100#22#'ST_DISTANCE' is not supported",
                "SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY t.x#SC3100#48#correlated collections",
                "SELECT c.k FROM c GROUP BY c.k ORDER BY c.k#SC3100#31#'GROUP BY'",
                "SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags ORDER BY t.a) FROM c#SC3100#51#in subqueries",
                "SELECT TOP 1 * FROM c OFFSET 1 LIMIT 2#SC3100#22#together with 'TOP'",
                "SELECT * FROM c WHERE c.a LIKE 'x' ESCAPE 'ab'#SC1001#42#one character",
                "SELECT VALUE 1e999#SC1001#13#out of range"
            })
    void names_what_is_wrong_and_where(String sql, String code, int position, String message) {
        QuerySyntaxException refusal = refusalOf(sql);

        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal).hasMessageContaining(message);
        assertThat(refusal.position()).isEqualTo(position);
    }

    @Test
    void has_the_service_s_shape() {
        assertThat(refusalOf("SELECT BADFUNC(r.age) FROM Root r").errors())
                .hasToString(
                        "{\"errors\":[{\"severity\":\"Error\",\"location\":{\"start\":7,\"end\":14},"
                                + "\"code\":\"SC2005\",\"message\":\"'BADFUNC' is not a recognized built-in function name.\"}]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 / 0", "1 % 0", "1 / (c.n - c.n)"})
    void a_division_by_zero_is_one_without_a_place(String expression) {
        QuerySyntaxException failure =
                catchThrowableOfType(QuerySyntaxException.class, () -> Queries.value(expression, "{'n':1}"));

        assertThat(failure.code()).isEqualTo("4001");
        assertThat(failure.position()).isEqualTo(-1);
        assertThat(failure.errors().toString()).doesNotContain("location");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {"'-1'#-1", "'text'#\"text\"", "'1.5'#1.5", "#undefined"})
    void a_row_count_must_be_a_number_when_the_query_runs(String given, String shown) {
        String parameters = given == null ? "{}" : "{'n':" + ("\"text\"".equals(shown) ? "'text'" : shown) + "}";
        CosmosQuery query = CosmosQuery.parse("SELECT TOP @n * FROM c", Queries.parameters(parameters));

        assertThatThrownBy(() -> Queries.results(query, "{}"))
                .isInstanceOf(QuerySyntaxException.class)
                .hasMessageContaining("TOP")
                .hasMessageEndingWith(shown);
        assertThatThrownBy(query::plan).isInstanceOf(QuerySyntaxException.class);
    }

    @Nested
    final class Depth_and_length {
        @ParameterizedTest
        @ValueSource(strings = {"(", "[", "{'a':", "NOT (", "ABS(", "true ? ", "(SELECT VALUE ", "c["})
        void nesting_is_limited_before_it_can_exhaust_the_stack(String opening) {
            String deep = "SELECT VALUE " + opening.repeat(20_000) + "1 FROM c";

            assertThat(refusalOf(deep)).hasMessageContaining("nested deeper than");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                value = {"(#)", "[#]", "{'a':#}", "NOT (#)", "(true ?#:2)", "ARRAY(SELECT VALUE(#))"})
        void nesting_up_to_the_limit_parses_and_runs(String opening, String closing) {
            int depth = QueryParser.DEEPEST_NESTING
                    / opening.replaceAll("[^(\\[{?]", "").length();
            String sql = "SELECT VALUE " + opening.repeat(depth) + "1" + closing.repeat(depth) + " FROM c";

            assertThatCode(() -> onSmallStack(() -> Queries.run(sql, "{}"))).doesNotThrowAnyException();
        }

        private void onSmallStack(Runnable action) throws InterruptedException, ExecutionException {
            FutureTask<Void> task = new FutureTask<>(action, null);
            Thread thread = new Thread(null, task, "small-stack", 512 * 1024);
            thread.start();
            thread.join();
            task.get();
        }

        @ParameterizedTest
        @ValueSource(strings = {"1 + ", "true AND ", "false OR ", "c.a ?? ", "'a' || ", "- ", "NOT ", "1, ", "1 = "})
        void width_is_not_depth(String link) {
            String sql = "SELECT VALUE [" + link.repeat(6_000) + "1] FROM c";

            assertThatCode(() -> Queries.run(sql, "{}")).doesNotThrowAnyException();
        }

        @Test
        void a_chain_of_conditionals_is_not_deep() {
            String sql = "SELECT VALUE " + "c.no ? 1 : ".repeat(20_000) + "2 FROM c";

            assertThat(Queries.run(sql, "{}")).isEqualTo("[2]");
        }

        @Test
        void a_text_longer_than_the_service_takes_is_refused() {
            String sql = "SELECT VALUE '" + "x".repeat(QueryParser.MOST_CHARACTERS) + "'";

            assertThat(refusalOf(sql)).hasMessageContaining("524288");
        }

        @Test
        void a_giant_literal_within_the_limit_is_taken() {
            String literal = "x".repeat(500_000);

            assertThat(Queries.value("LENGTH('" + literal + "')")).isEqualTo("500000");
        }

        @Test
        void more_than_ten_joins_are_refused() {
            StringBuilder sql = new StringBuilder("SELECT VALUE 1 FROM c");
            for (int i = 0; i < 11; i++) {
                sql.append(" JOIN t").append(i).append(" IN c.tags");
            }

            assertThat(refusalOf(sql.toString())).hasMessageContaining("at most 10 joins, was 11");
        }

        @Test
        void a_pattern_that_never_ends_is_ended() {
            assertThatThrownBy(() -> Queries.value("REGEXMATCH('" + "a".repeat(40) + "!', '^(a+)+\\\\1b$')"))
                    .isInstanceOf(QuerySyntaxException.class)
                    .hasMessageContaining("REGEXMATCH");
        }
    }
}
