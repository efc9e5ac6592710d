package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class QueryExecutionTest {

    private static final String[] ORDERS = {
        "{'id':'1','kind':'a','n':3,'tags':['x','y'],'lines':[{'sku':'p','qty':2},{'sku':'q','qty':1}]}",
        "{'id':'2','kind':'b','n':1,'tags':['y'],'lines':[]}",
        "{'id':'3','kind':'a','n':2,'tags':[],'lines':[{'sku':'p','qty':5}]}",
        "{'id':'4','kind':'b','tags':'none'}"
    };

    /** One document of every type under x, in the order the service sorts them. */
    private static final String[] TYPES = {
        "{'id':'undefined'}",
        "{'id':'null','x':null}",
        "{'id':'false','x':false}",
        "{'id':'true','x':true}",
        "{'id':'-1','x':-1}",
        "{'id':'2','x':2}",
        "{'id':'10','x':10.5}",
        "{'id':'A','x':'A'}",
        "{'id':'a','x':'a'}",
        "{'id':'array','x':[]}",
        "{'id':'object','x':{}}"
    };

    private static List<String> ids(String sql, String... documents) {
        return Queries.results(CosmosQuery.parse(sql, Map.of()), documents).stream()
                .map(result -> result.path("id").asText())
                .toList();
    }

    @Nested
    final class Undefined_and_null {
        private static final String UNLOCKED = "{'id':'never'}";
        private static final String NULL_LOCK = "{'id':'null','lockedUntil':null}";
        private static final String EXPIRED = "{'id':'expired','lockedUntil':5}";
        private static final String HELD = "{'id':'held','lockedUntil':50}";
        private static final Map<String, JsonNode> AT_TEN = Queries.parameters("{'now': 10}");

        private List<JsonNode> matching(String filter) {
            String sql = "SELECT VALUE c.id FROM c WHERE " + filter;
            return Queries.results(CosmosQuery.parse(sql, AT_TEN), UNLOCKED, NULL_LOCK, EXPIRED, HELD);
        }

        @Test
        void a_null_is_not_less_than_any_number_so_such_a_lock_is_never_found_free() {
            assertThat(matching("NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil <= @now"))
                    .hasToString("[\"never\", \"expired\"]");
        }

        @Test
        void asking_for_null_finds_it() {
            assertThat(matching("NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil <= @now"))
                    .hasToString("[\"never\", \"null\", \"expired\"]");
        }

        @Test
        void not_of_an_undefined_comparison_finds_nothing_either() {
            assertThat(matching("NOT (c.lockedUntil > @now)")).hasToString("[\"expired\"]");
        }

        @Test
        void a_parameter_that_was_not_given_is_undefined() {
            assertThat(matching("c.lockedUntil <= @other")).isEmpty();
            assertThat(matching("NOT IS_DEFINED(@other)")).hasSize(4);
        }
    }

    @Nested
    final class Projections {
        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                quoteCharacter = '`',
                value = {
                    "SELECT * FROM c#[{\"id\":\"1\",\"a\":{\"b\":2}}]",
                    "SELECT c FROM c#[{\"c\":{\"id\":\"1\",\"a\":{\"b\":2}}}]",
                    "SELECT VALUE c FROM c#[{\"id\":\"1\",\"a\":{\"b\":2}}]",
                    "SELECT c.id, c.missing, c.a.b FROM c#[{\"id\":\"1\",\"b\":2}]",
                    "SELECT c.id AS key, c['a'] FROM c#[{\"key\":\"1\",\"a\":{\"b\":2}}]",
                    "SELECT c.a.b + 1, 'x', c.a.b AS b, @p FROM c#[{\"$1\":3,\"$2\":\"x\",\"b\":2}]",
                    "SELECT VALUE c.missing FROM c#[]",
                    "SELECT c.missing FROM c#[{}]",
                    "SELECT VALUE {'k': c.id, 'm': c.missing} FROM c#[{\"k\":\"1\"}]",
                    "SELECT VALUE 1#[1]",
                    "SELECT 1 AS one, undefined AS none#[{\"one\":1}]",
                    "select value c.id from c#[\"1\"]",
                    "SELECT * FROM c.a#[{\"b\":2}]",
                    "SELECT VALUE a.b FROM c.a#[2]",
                    "SELECT VALUE x.b FROM c.a AS x#[2]",
                    "SELECT VALUE x.b FROM c.a x#[2]",
                    "SELECT * FROM c.missing#[]",
                    "SELECT VALUE r.id FROM root r -- a comment#[\"1\"]"
                })
        void leave_out_what_is_undefined(String sql, String expected) {
            assertThat(Queries.run(sql, "{'id':'1','a':{'b':2}}")).isEqualTo(expected);
        }
    }

    @Nested
    final class Joins_and_subqueries {
        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                quoteCharacter = '`',
                value = {
                    "SELECT c.id, t FROM c JOIN t IN c.tags"
                            + "#[{\"id\":\"1\",\"t\":\"x\"},{\"id\":\"1\",\"t\":\"y\"},{\"id\":\"2\",\"t\":\"y\"}]",
                    "SELECT VALUE l.sku FROM l IN c.lines#[\"p\",\"q\",\"p\"]",
                    "SELECT VALUE l.qty FROM c JOIN l IN c.lines WHERE l.sku = 'p'#[2,5]",
                    "SELECT VALUE t || l.sku FROM c JOIN t IN c.tags JOIN l IN c.lines"
                            + "#[\"xp\",\"xq\",\"yp\",\"yq\"]",
                    "SELECT VALUE l.sku FROM c JOIN (SELECT VALUE l FROM l IN c.lines WHERE l.qty > 1) AS l"
                            + "#[\"p\",\"p\"]",
                    "SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE l FROM l IN c.lines WHERE l.qty > 1)"
                            + "#[\"1\",\"3\"]",
                    "SELECT VALUE c.id FROM c WHERE NOT EXISTS(SELECT VALUE l FROM l IN c.lines)#[\"2\",\"4\"]",
                    "SELECT VALUE ARRAY(SELECT VALUE l.qty * 10 FROM l IN c.lines) FROM c#[[20,10],[],[50],[]]",
                    "SELECT VALUE (SELECT VALUE SUM(l.qty) FROM l IN c.lines) FROM c#[3,0,5,0]",
                    "SELECT VALUE (SELECT VALUE c.n WHERE c.n > 1) FROM c#[3,2]",
                    "SELECT VALUE ARRAY(SELECT DISTINCT VALUE l.sku FROM l IN c.lines) FROM c#[[\"p\",\"q\"],[],[\"p\"],[]]",
                    "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.kind FROM c)#[2]",
                    "SELECT x.id FROM (SELECT c.id, c.n FROM c WHERE c.n > 1) AS x WHERE x.n < 3#[{\"id\":\"3\"}]",
                    "SELECT VALUE n FROM c JOIN n IN [1]#"
                })
        void see_the_names_around_them(String sql, String expected) {
            if (expected == null) {
                assertThatThrownBy(() -> Queries.run(sql, ORDERS)).isInstanceOf(QuerySyntaxException.class);
                return;
            }
            assertThat(Queries.run(sql, ORDERS)).isEqualTo(expected);
        }

        @Test
        void a_scalar_subquery_with_two_rows_is_an_error() {
            assertThatThrownBy(() -> Queries.run("SELECT VALUE (SELECT VALUE t FROM t IN c.tags) FROM c", ORDERS))
                    .isInstanceOf(QuerySyntaxException.class)
                    .hasMessageContaining("cardinality");
        }
    }

    @Nested
    final class Order {
        @Test
        void goes_by_type_first() {
            String[] shuffled = {
                TYPES[8], TYPES[3], TYPES[10], TYPES[0], TYPES[6], TYPES[1], TYPES[9], TYPES[2], TYPES[5], TYPES[7],
                TYPES[4]
            };

            List<String> ascending = ids("SELECT c.id FROM c ORDER BY c.x", shuffled);
            List<String> descending = ids("SELECT c.id FROM c ORDER BY c.x DESC", shuffled);

            assertThat(ascending)
                    .containsExactly(
                            "undefined", "null", "false", "true", "-1", "2", "10", "A", "a", "array", "object");
            assertThat(descending)
                    .containsExactlyElementsOf(ascending.stream()
                            .sorted((a, b) -> Integer.compare(ascending.indexOf(b), ascending.indexOf(a)))
                            .toList());
        }

        @Test
        void goes_by_every_key_in_its_own_direction() {
            assertThat(ids("SELECT * FROM c ORDER BY c.kind DESC, c.n", ORDERS)).containsExactly("4", "2", "3", "1");
        }

        @Test
        void of_equal_rows_is_that_of_resource_ids_in_the_direction_of_the_first_key() {
            String second = "{'id':'second','_rid':'AAAAAAAAAAACAAAAAAAAAA==','x':1}";
            String first = "{'id':'first','_rid':'AAAAAAAAAAABAAAAAAAAAA==','x':1}";

            assertThat(ids("SELECT * FROM c ORDER BY c.x", second, first)).containsExactly("first", "second");
            assertThat(ids("SELECT * FROM c ORDER BY c.x DESC", first, second)).containsExactly("second", "first");
        }

        @Test
        void stays_that_of_the_documents_when_nothing_tells_rows_apart() {
            assertThat(ids("SELECT * FROM c ORDER BY c.x", "{'id':'b','x':1}", "{'id':'a','x':1}"))
                    .containsExactly("b", "a");
        }
    }

    @Nested
    final class Cuts {
        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                value = {
                    "SELECT TOP 2 c.id FROM c ORDER BY c.n DESC#1,3",
                    "SELECT TOP 0 c.id FROM c#",
                    "SELECT c.id FROM c OFFSET 1 LIMIT 2#2,3",
                    "SELECT c.id FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 1#3",
                    "SELECT c.id FROM c OFFSET 9 LIMIT 5#"
                })
        void come_last(String sql, String expected) {
            List<String> wanted = expected == null ? List.of() : List.of(expected.split(","));

            assertThat(ids(sql, ORDERS)).isEqualTo(wanted);
        }

        @Test
        void distinct_results_are_counted_after_they_became_distinct() {
            assertThat(Queries.run("SELECT DISTINCT VALUE c.kind FROM c OFFSET 1 LIMIT 5", ORDERS))
                    .isEqualTo("[\"b\"]");
        }
    }

    @Nested
    final class Distinct_results {
        @Test
        void are_equal_whatever_the_writing_of_numbers_and_the_order_of_properties() {
            assertThat(Queries.run(
                            "SELECT DISTINCT VALUE c.x FROM c",
                            "{'x':1}",
                            "{'x':1.0}",
                            "{'x':'1'}",
                            "{'x':{'a':1,'b':2}}",
                            "{'x':{'b':2,'a':1.0}}",
                            "{'x':null}",
                            "{}",
                            "{'x':[1]}",
                            "{'x':[1.0]}"))
                    .isEqualTo("[1,\"1\",{\"a\":1,\"b\":2},null,[1]]");
        }
    }

    @Nested
    final class Reading {
        @Test
        void of_a_streaming_query_goes_no_further_than_its_results_are_asked_for() {
            int[] read = {0};
            Iterator<ObjectNode> documents = IntStream.range(0, 1_000)
                    .mapToObj(i -> {
                        read[0]++;
                        return (ObjectNode) Queries.json("{'n':" + i + "}");
                    })
                    .iterator();

            Iterator<JsonNode> results = CosmosQuery.parse("SELECT VALUE c.n FROM c WHERE c.n > 2", Map.of())
                    .execute(documents);

            assertThat(results.next()).hasToString("3");
            assertThat(read[0]).isLessThan(10);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM c WHERE c.x = 1",
                    "SELECT VALUE t FROM c JOIN t IN c.tags",
                    "SELECT VALUE ARRAY(SELECT DISTINCT VALUE t FROM t IN c.tags) FROM c"
                })
        void a_page_of_these_can_end_anywhere(String sql) {
            assertThat(CosmosQuery.parse(sql, Map.of()).isStreaming()).isTrue();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM c ORDER BY c.x",
                    "SELECT TOP 1 * FROM c",
                    "SELECT DISTINCT * FROM c",
                    "SELECT VALUE COUNT(1) FROM c",
                    "SELECT c.x FROM c GROUP BY c.x",
                    "SELECT * FROM c OFFSET 0 LIMIT 1",
                    "SELECT * FROM (SELECT DISTINCT VALUE c.x FROM c) AS x"
                })
        void these_need_all_of_them(String sql) {
            assertThat(CosmosQuery.parse(sql, Map.of()).isStreaming()).isFalse();
        }

        @Test
        void a_query_without_from_reads_none() {
            assertThat(CosmosQuery.parse("SELECT 1", Map.of()).readsDocuments()).isFalse();
            assertThat(CosmosQuery.parse("SELECT * FROM c", Map.of()).readsDocuments())
                    .isTrue();
        }
    }

    @Nested
    final class The_value_a_filter_demands {
        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                quoteCharacter = '`',
                value = {
                    "SELECT * FROM c WHERE c.pk = 'a'#/pk#\"a\"",
                    "SELECT * FROM c WHERE 'a' = c.pk AND c.x > 1#/pk#\"a\"",
                    "SELECT * FROM c WHERE c.x > 1 AND (c.y = 2 AND c['pk'] = @p)#/pk#\"given\"",
                    "SELECT * FROM c WHERE c.a.b = 5#/a/b#5",
                    "SELECT * FROM r WHERE r.pk = null#/pk#null",
                    "SELECT * FROM c WHERE c.pk = 'a' ORDER BY c.x#/pk#\"a\"",
                    "SELECT * FROM c WHERE c['a b'] = 1#/\"a b\"#1"
                })
        void is_found_in_a_conjunction(String sql, String path, String expected) {
            CosmosQuery query = CosmosQuery.parse(sql, Queries.parameters("{'p': 'given'}"));

            assertThat(query.partitionKeyEquality(path)).hasToString("Optional[" + expected + "]");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM c",
                    "SELECT * FROM c WHERE c.pk = 'a' OR c.x = 1",
                    "SELECT * FROM c WHERE c.pk > 'a'",
                    "SELECT * FROM c WHERE c.pk = c.x",
                    "SELECT * FROM c WHERE c.pk = @missing",
                    "SELECT * FROM c WHERE NOT (c.pk = 'a')",
                    "SELECT * FROM c JOIN t IN c.tags WHERE t.pk = 'a'",
                    "SELECT * FROM t IN c.tags WHERE t.pk = 'a'"
                })
        void is_not_guessed(String sql) {
            String valid = sql.replace("SELECT * FROM c JOIN", "SELECT c.id FROM c JOIN");

            assertThat(CosmosQuery.parse(valid, Map.of()).partitionKeyEquality("/pk"))
                    .isEmpty();
        }
    }
}
