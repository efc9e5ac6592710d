package io.sluice.benchmarks.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.page.PerformancePage.Chapter;
import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Conditions;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Report;
import io.sluice.benchmarks.result.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViewsTest {
    private static final List<Figure> FIGURES = List.of(
            turns(1, 100).within(Budget.atLeast(50)),
            turns(8, 400),
            Figure.exactly("requests", "", 3).at("dispatchers", 1).within(Budget.atMost(2)),
            Figure.exactly("requests", "", 12_345).at("dispatchers", 8));

    private static Figure turns(int dispatchers, double median) {
        return Figure.of("turns", "per second", new Spread(median / 2, median, median * 2))
                .at("dispatchers", dispatchers);
    }

    @ParameterizedTest
    @CsvSource({
        "0.08312, 0.0831",
        "1.2345, 1.23",
        "32.14, 32.1",
        "0.9, 0.900",
        "123.4, 123",
        "7, 7",
        "20570, '20,570'",
        "1234.5, '1,235'",
        "NaN, –"
    })
    void numbers_have_three_digits_unless_they_are_whole(double value, String text) {
        assertThat(Numbers.text(value)).isEqualTo(text);
    }

    @Test
    void a_table_has_a_row_for_each_parameter_and_a_column_for_budgets_where_there_are_some() {
        var table = View.Table.of(List.of("dispatchers"), "turns", "requests");

        assertThat(Tables.table(table, FIGURES)).isEqualTo("""
                        | dispatchers | turns, per second | asked for | requests | asked for |
                        |---|---:|---:|---:|---:|
                        | 1 | 100 (50 – 200) | ≥ 50 | 3 | ≤ 2 |
                        | 8 | 400 (200 – 800) | – | 12,345 | – |
                        """);
    }

    @Test
    void budgets_stand_in_the_order_of_what_is_taken_of_them() {
        var report = new Report("provider", new Conditions("", "", "", 2, "17", 0, 0, 5), FIGURES);

        assertThat(Budgets.table(List.of(report)).lines().skip(2))
                .containsExactly(
                        "| requests; dispatchers 1 | provider | ≤ 2 | 3 | **1.50** |",
                        "| turns, per second; dispatchers 1 | provider | ≥ 50 | 100 (50 – 200) | 0.50 |");
    }

    @Test
    void the_page_is_the_same_whenever_it_is_made() {
        var section = new Section("How fast", "By hand.", List.of(View.Listing.of("turns")));
        var report = new Report("provider", new Conditions("2026-11-22", "mvn", "cpu", 2, "17", 1, 2, 5), FIGURES);

        var page = PerformancePage.text(List.of(new Chapter(section, report)));

        assertThat(page)
                .isEqualTo(PerformancePage.text(List.of(new Chapter(section, report))))
                .contains("| `provider` | [How fast](#how-fast) |")
                .contains("| turns, per second; dispatchers 1 | ≥ 50 | 100 (50 – 200) |");
    }
}
