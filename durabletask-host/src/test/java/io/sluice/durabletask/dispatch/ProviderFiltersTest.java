package io.sluice.durabletask.dispatch;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.worker.WorkFilter;
import io.sluice.provider.TagFilter;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProviderFiltersTest {
    /** Names that differ in their first four characters, of two bytes each. */
    private static Set<String> names(int names, int bytes) {
        return IntStream.range(0, names)
                .mapToObj(n -> "%04d".formatted(n) + "ä".repeat((bytes - 4) / 2))
                .collect(toSet());
    }

    private static WorkFilter filter(Set<String> names) {
        return new WorkFilter(names.stream().collect(toMap(name -> name, name -> Set.of())));
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "512, 128", "1000, 64", "1, 65536"})
    void activities_are_asked_for_by_the_names_that_workers_take(int names, int bytes) {
        Set<String> taken = names(names, bytes);

        assertThat(ProviderFilters.activities(filter(taken))).isEqualTo(TagFilter.manyTags(taken));
    }

    @ParameterizedTest
    @CsvSource({"513, 128", "1000, 66", "1001, 16", "1, 70000"})
    void with_more_names_than_a_query_takes_every_activity_is_asked_for(int names, int bytes) {
        assertThat(ProviderFilters.activities(filter(names(names, bytes)))).isEqualTo(TagFilter.any());
    }

    @Test
    void a_filter_without_names_asks_for_no_activity() {
        assertThat(ProviderFilters.activities(WorkFilter.NOTHING)).isEqualTo(TagFilter.none());
        assertThat(ProviderFilters.activities(WorkFilter.ALL)).isEqualTo(TagFilter.any());
    }
}
