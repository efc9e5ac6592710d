package io.sluice.emulator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tables of headers and errors, the README, the code and the lists of the service's documentation name the same
 * things.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class WireTableTest {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final String HEADERS = "## Headers that count";
    private static final String REFUSALS = "## Refusals";
    private static final String PAGES = "https://learn.microsoft.com/rest/api/cosmos-db/";
    private static final String SDKS = "https://github.com/Azure/azure-";
    private static final String OUR_OWN = "x-emulator-";
    private static final String FAULT = "any";

    static Stream<WireTable.Row> rows() {
        return WireTableIT.rows();
    }

    @Test
    void the_readme_names_the_headers_of_the_table_and_no_other() throws IOException {
        var rows = WireTable.HEADERS.rows().stream().map(WireTable.Row::name).toList();

        assertThat(lowerCase(rows)).isEqualTo(lowerCase(headersThatCount()));
    }

    @Test
    void the_readme_names_the_refusals_of_the_table_and_no_other() throws IOException {
        var rows = WireTable.ERRORS.rows().stream().map(WireTable.Row::name).toList();
        Set<String> named = new TreeSet<>();
        firstCells(REFUSALS).forEach(cell -> named.addAll(List.of(cell.split(", "))));

        assertThat(new TreeSet<>(rows)).isEqualTo(named);
    }

    @Test
    void every_header_that_a_page_of_the_service_lists_counts_or_is_a_gap_by_name() throws IOException {
        Set<String> named = lowerCase(headersThatCount());
        named.addAll(lowerCase(gaps(HEADERS)));

        assertThat(named).containsAll(lowerCase(WireTable.HEADERS.documented()));
    }

    @Test
    void every_status_that_a_page_of_the_service_lists_is_answered_or_is_a_gap_by_name() throws IOException {
        var named = new TreeSet<>(gaps(REFUSALS));
        WireTable.ERRORS
                .rows()
                .forEach(row -> named.addAll(List.of(row.name(), row.name().split("/", -1)[0])));

        assertThat(named).containsAll(WireTable.ERRORS.documented());
    }

    @Test
    void a_header_counts_when_the_code_knows_it() throws Exception {
        Set<String> known = new TreeSet<>();
        for (Field field :
                Class.forName("io.sluice.emulator.http.message.Headers").getDeclaredFields()) {
            if (field.getType() == String.class) {
                field.setAccessible(true);
                known.add(((String) field.get(null)).toLowerCase(Locale.ROOT));
            }
        }
        known.removeIf(header -> header.startsWith(OUR_OWN));

        assertThat(lowerCase(headersThatCount())).containsAll(known);
        assertThat(lowerCase(gaps(HEADERS))).doesNotContainAnyElementsOf(known);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void a_row_is_about_what_it_is_named_for(WireTable.Row row) {
        if (row.table().equals("headers")) {
            // Every request is signed without being told.
            var used = Stream.concat(Stream.of("authorization"), headers(row));
            assertThat(lowerCase(used.toList())).contains(row.name().toLowerCase(Locale.ROOT));
        } else if (row.name().equals(FAULT)) {
            assertThat(row.setup()).hasAtLeastOneElementOfType(WireTable.Fault.class);
        } else {
            var expected = row.expected();
            var status = expected.status() + (expected.subStatus() == 0 ? "" : "/" + expected.subStatus());
            var within = expected.body().values().stream().map(value -> value.asText());
            assertThat(Stream.concat(Stream.of(status), within)).contains(row.name());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void a_row_sends_and_reads_no_header_that_the_readme_does_not_name(WireTable.Row row) throws IOException {
        Set<String> named = lowerCase(headersThatCount());
        named.addAll(lowerCase(gaps(HEADERS)));
        named.add("content-length");
        var used = headers(row).filter(header -> !header.startsWith(OUR_OWN)).toList();

        assertThat(named).containsAll(lowerCase(used));
    }

    /**
     * A page of the service; the code of another SDK; or a constant of Java's, which then is the header's name or the
     * status or sub-status.
     */
    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void a_row_says_where_that_is_from(WireTable.Row row) throws Exception {
        int constant = row.source().indexOf('#');
        if (constant < 0) {
            assertThat(row.source())
                    .satisfiesAnyOf(
                            page -> assertThat(page).startsWith(PAGES),
                            code -> assertThat(code).startsWith(SDKS));
            return;
        }
        var value = Class.forName(row.source().substring(0, constant))
                .getField(row.source().substring(constant + 1))
                .get(null);

        var numbers =
                Stream.of(row.expected().status(), row.expected().subStatus()).map(String::valueOf);
        assertThat(lowerCase(Stream.concat(numbers, headers(row)).toList()))
                .contains(value.toString().toLowerCase(Locale.ROOT));
    }

    /** Those it sends, first and last, and those it looks for. */
    private static Stream<String> headers(WireTable.Row row) {
        var calls = Stream.concat(Stream.of(row.request()), row.setup().stream());
        var sent = calls.flatMap(
                step -> step instanceof WireTable.Call call ? call.headers().keySet().stream() : Stream.of());
        return Stream.concat(sent, row.expected().headers().keySet().stream());
    }

    private static Set<String> headersThatCount() throws IOException {
        return firstCells(HEADERS).stream().flatMap(WireTableTest::codes).collect(Collectors.toSet());
    }

    /** Names outside of a section's table. */
    private static Set<String> gaps(String section) throws IOException {
        return lines(section).stream()
                .dropWhile(line -> !line.startsWith("|"))
                .filter(line -> !line.startsWith("|"))
                .flatMap(WireTableTest::codes)
                .collect(Collectors.toSet());
    }

    /** The first cells of a section's table, without its head. */
    private static List<String> firstCells(String section) throws IOException {
        return lines(section).stream()
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .map(line -> line.substring(2, line.indexOf(" | ")))
                .toList();
    }

    private static List<String> lines(String section) throws IOException {
        var lines = Files.readAllLines(Path.of("README.md"));
        int begin = lines.indexOf(section);
        assertThat(begin).as(section).isNotNegative();
        return lines.stream()
                .skip(begin + 1)
                .takeWhile(line -> !line.startsWith("## "))
                .toList();
    }

    private static Stream<String> codes(String text) {
        return CODE.matcher(text)
                .results()
                .flatMap(code -> Arrays.stream(code.group(1).split(" ")));
    }

    private static Set<String> lowerCase(Collection<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toCollection(TreeSet::new));
    }
}
