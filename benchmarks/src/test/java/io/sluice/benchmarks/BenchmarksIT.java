package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.PerformancePage;
import io.sluice.benchmarks.page.PerformancePage.Chapter;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Conditions;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Report;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every benchmark still runs, as small as it can be, and its section shows what it measures. Times of such runs say
 * nothing; counts do. Each has servers of its own, so that several may run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class BenchmarksIT {
    /**
     * The first is counted by another test. The smallest run of the second repeats the relay's benchmark, and takes
     * long to start.
     */
    private static final Set<String> LEFT_OUT = Set.of("requests", "scale");

    /** What counts must be between, wherever a benchmark gives them. */
    private record Bounds(String figure, Map<String, String> at, double least, double most) {}

    private static final List<Bounds> BOUNDS = List.of(
            new Bounds("requests per turn", Map.of("dispatchers", "1"), 2, 4),
            new Bounds("requests per activity", Map.of("dispatchers", "1"), 2, 4),
            new Bounds("requests per hello world", Map.of("dispatchers", "1"), 6, 12),
            new Bounds("requests", Map.of("events", "2", "cache", "warm"), 3, 3),
            new Bounds("requests", Map.of("events", "2", "cache", "cold"), 5, 5));

    static Stream<String> names() {
        return Benchmarks.ALL.stream().map(Benchmark::name).filter(name -> !LEFT_OUT.contains(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void the_smallest_run_of_a_benchmark_gives_what_its_section_shows(String name) {
        var benchmark = Benchmarks.named(name);

        var figures = benchmark.measure(Effort.SMALLEST);

        assertThat(figures).isNotEmpty().allSatisfy(figure -> {
            assertThat(figure.measured().least()).as("%s", figure).isFinite().isNotNegative();
            assertThat(figure.measured().greatest()).as("%s", figure).isFinite();
        });
        var section = benchmark.section();
        section.views()
                .forEach(view -> assertThat(shown(view, figures)).as("%s", view).isNotEmpty());
        var report = new Report(name, Conditions.now(benchmark.command(), 0, 1), figures);
        assertThat(PerformancePage.text(List.of(new Chapter(section, report)))).doesNotContain("NaN");
        BOUNDS.forEach(bounds -> assertThat(figures)
                .filteredOn(figure -> figure.name().equals(bounds.figure()) && figure.isAt(bounds.at()))
                .allSatisfy(figure -> assertThat(figure.measured().median())
                        .as("%s at %s", bounds.figure(), bounds.at())
                        .isBetween(bounds.least(), bounds.most())));
    }

    @Test
    void names_are_unique() {
        assertThat(Benchmarks.ALL).extracting(Benchmark::name).doesNotHaveDuplicates();
    }

    /** The figures of a view; text shows itself. */
    private static List<?> shown(View view, List<Figure> figures) {
        if (view instanceof View.Listing listing) {
            return View.named(figures, listing.figures());
        } else if (view instanceof View.Table table) {
            return View.named(figures, table.figures());
        }
        return List.of(view);
    }
}
