package io.sluice.durabletask.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkFilterTest {
    private static final WorkFilter ONE_VERSION = new WorkFilter(Map.of("a", Set.of("1")));
    private static final WorkFilter EVERY_VERSION = new WorkFilter(Map.of("a", Set.of()));

    @Test
    void a_name_without_versions_stands_for_all_of_them() {
        assertThat(EVERY_VERSION.accepts("a", "7")).isTrue();
        assertThat(EVERY_VERSION.accepts("a", "")).isTrue();
        assertThat(EVERY_VERSION.accepts("b", "")).isFalse();
    }

    @Test
    void named_versions_are_compared_exactly() {
        assertThat(ONE_VERSION.accepts("a", "1")).isTrue();
        assertThat(ONE_VERSION.accepts("a", "1.0")).isFalse();
        assertThat(ONE_VERSION.accepts("a", "")).isFalse();
        assertThat(new WorkFilter(Map.of("a", Set.of(""))).accepts("a", "")).isTrue();
    }

    @Test
    void either_of_two_takes_what_one_of_them_takes() {
        WorkFilter other = new WorkFilter(Map.of("a", Set.of("2"), "b", Set.of("1")));

        assertThat(ONE_VERSION.or(other)).isEqualTo(new WorkFilter(Map.of("a", Set.of("1", "2"), "b", Set.of("1"))));
        assertThat(ONE_VERSION.or(EVERY_VERSION)).isEqualTo(EVERY_VERSION);
        assertThat(EVERY_VERSION.or(ONE_VERSION)).isEqualTo(EVERY_VERSION);
        assertThat(ONE_VERSION.or(WorkFilter.ALL)).isEqualTo(WorkFilter.ALL);
        assertThat(WorkFilter.NOTHING.or(ONE_VERSION)).isEqualTo(ONE_VERSION);
    }
}
