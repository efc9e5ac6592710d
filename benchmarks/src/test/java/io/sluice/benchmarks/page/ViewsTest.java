package io.sluice.benchmarks.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.page.PerformancePage.Chapter;
import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Conditions;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Report;
import io.sluice.benchmarks.result.Spread;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
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
    void a_chart_shows_medians_whiskers_and_what_was_asked_for() {
        var chart = lines(Chart.Axis.linear("per second"));

        var svg = Drawing.of(chart, FIGURES);

        assertThat(svg)
                .contains("<title id=\"title\">Turns &lt;by&gt; dispatchers</title>")
                .contains("asked for: 50")
                .contains(">dispatchers<", ">per second<");
        assertThat(svg.split("class=\"mark s0\"", -1)).as("marks").hasSize(2 + 1);
        assertThat(svg.split("class=\"whisker s0\"", -1)).as("whiskers").hasSize(2 + 1);
    }

    @Test
    void a_logarithmic_axis_goes_from_a_stop_below_to_a_stop_above() {
        var scale = Scale.of(Chart.Axis.logarithmic(""), DoubleStream.of(30, 700));

        assertThat(scale.ticks())
                .extracting(Scale.Tick::label)
                .containsExactly("20", "50", "100", "200", "500", "1,000");
        assertThat(scale.place(20)).isZero();
        assertThat(scale.place(1000)).isEqualTo(1);
    }

    @Test
    void a_linear_axis_begins_at_nought_and_ends_at_a_round_number() {
        var scale = Scale.of(Chart.Axis.linear(""), DoubleStream.of(30, 0.7e6));

        assertThat(scale.ticks())
                .extracting(Scale.Tick::label)
                .containsExactly("0", "200,000", "400,000", "600,000", "800,000");
    }

    @Test
    void the_page_is_the_same_whenever_it_is_made() {
        var section = new Section("How fast", "By hand.", List.of(lines(Chart.Axis.logarithmic("per second"))));
        var report = new Report("provider", new Conditions("2026-11-22", "mvn", "cpu", 2, "17", 1, 2, 5), FIGURES);

        var files = PerformancePage.files(List.of(new Chapter(section, report)));

        assertThat(files)
                .isEqualTo(PerformancePage.files(List.of(new Chapter(section, report))))
                .hasSize(2);
        assertThat(files.get(PerformancePage.PAGE))
                .contains("| `provider` | [How fast](#how-fast) |")
                .contains("![Turns <by> dispatchers](benchmarks/turns.svg)");
    }

    private static Chart.Lines lines(Chart.Axis vertical) {
        return new Chart.Lines(
                "turns",
                "Turns <by> dispatchers",
                "dispatchers",
                Chart.Axis.logarithmic("dispatchers"),
                vertical,
                List.of("turns"),
                Map.of());
    }
}
