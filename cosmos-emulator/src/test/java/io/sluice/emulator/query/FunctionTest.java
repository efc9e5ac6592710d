package io.sluice.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.conformance.QueryTable;
import io.sluice.emulator.query.function.Aggregate;
import io.sluice.emulator.query.function.BuiltIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of queries without a server, and that table, README and code name the same functions. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class FunctionTest {
    private static final Pattern CODE = Pattern.compile("`([^`]*)`");

    static List<QueryTable.Case> cases() {
        return QueryTable.cases();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void answers_what_its_page_says(QueryTable.Case row) {
        if (!row.error().isEmpty()) {
            QuerySyntaxException refusal = catchThrowableOfType(QuerySyntaxException.class, () -> run(row));
            assertThat(refusal).as(row.source()).isNotNull();
            assertThat(refusal.code()).as(row.source()).isEqualTo(row.error());
            return;
        }
        List<JsonNode> results = run(row);

        assertThat(row.isAnsweredBy(results))
                .as("%s, by %s, was %s", row.expected(), row.source(), results)
                .isTrue();
    }

    private static List<JsonNode> run(QueryTable.Case row) {
        List<ObjectNode> documents = new ArrayList<>();
        for (ObjectNode document : Objects.requireNonNull(QueryTable.datasets().get(row.dataset()))) {
            documents.add(document.put("_rid", "36ZyAPW+uN8NAAAAAAAAAA=="));
        }
        List<JsonNode> results = new ArrayList<>();
        CosmosQuery.parse(row.query(), row.parameters())
                .execute(documents.iterator())
                .forEachRemaining(results::add);
        return results;
    }

    @Test
    void every_function_of_the_code_has_three_rows_and_the_table_has_no_other() {
        Set<String> registered = new TreeSet<>();
        BuiltIn.all().forEach(function -> registered.add(function.name()));

        assertThat(QueryTable.names("functions", 3)).isEqualTo(registered);
        assertThat(QueryTable.names("aggregates", 3))
                .isEqualTo(new TreeSet<>(
                        Arrays.stream(Aggregate.values()).map(Enum::name).toList()));
    }

    /** IS_BOOLEAN is what the Java SDK writes, no function of the documentation. */
    @Test
    void the_readme_names_every_function_and_no_other() throws IOException {
        Set<String> registered = new TreeSet<>();
        BuiltIn.all().forEach(function -> registered.add(function.name()));
        registered.remove("IS_BOOLEAN");
        Set<String> named = new TreeSet<>();
        for (String row : Files.readAllLines(Path.of("README.md"))) {
            if (row.startsWith("| Types")
                    || row.startsWith("| Strings")
                    || row.startsWith("| Numbers")
                    || row.startsWith("| Arrays")
                    || row.startsWith("| Conditions")) {
                CODE.matcher(row.substring(0, row.lastIndexOf("| `")))
                        .results()
                        .flatMap(code -> Arrays.stream(code.group(1).split(" ")))
                        .forEach(named::add);
            }
        }

        assertThat(named).isEqualTo(registered);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "GETCURRENTDATETIME()#\"2026-03-04T05:06:07.1234567Z\"",
                "GETCURRENTDATETIMESTATIC()#\"2026-03-04T05:06:07.1234567Z\"",
                "GETCURRENTTICKS()#17726007671234567",
                "GETCURRENTTICKSSTATIC()#17726007671234567",
                "GETCURRENTTIMESTAMP()#1772600767123",
                "GETCURRENTTIMESTAMPSTATIC()#1772600767123",
                "NOW()#\"2026-03-04T05:06:07.1234567Z\"",
                "NOW('ms', 4)#\"2026-03-04T05:06:07.1274567Z\"",
                "AGO('yyyy', 1)#\"2025-03-04T05:06:07.1234567Z\"",
                "AGO('ss', -30)#\"2026-03-04T05:06:37.1234567Z\""
            })
    void the_time_is_that_of_the_query_s_begin(String call, String expected) {
        assertThat(Queries.value(call)).isEqualTo(expected);
    }

    @Test
    void an_item_s_document_id_is_the_number_in_its_resource_id() {
        assertThat(Queries.run("SELECT VALUE DOCUMENTID(c) FROM c", Map.of(), "{'_rid':'36ZyAPW+uN8NAAAAAAAAAA=='}"))
                .isEqualTo("[13]");
    }

    @Test
    void a_name_may_be_written_in_any_case() {
        assertThat(Queries.value("Is_Defined(c.s) AND startswith(c.s, 't')", "{'s':'text'}"))
                .isEqualTo("true");
    }
}
