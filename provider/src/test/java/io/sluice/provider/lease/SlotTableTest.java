package io.sluice.provider.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.document.MalformedDocumentException;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SlotTableTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100, 255, 256, 300})
    void quotas_are_even_and_cover_every_slot(int members) {
        SortedSet<String> names =
                IntStream.range(0, members).mapToObj(i -> "m" + i).collect(Collectors.toCollection(TreeSet::new));

        var quotas = names.stream()
                .mapToInt(name -> SlotTable.quota(name, names, 256))
                .summaryStatistics();

        assertThat(quotas.getSum()).isEqualTo(256);
        assertThat(quotas.getMax() - quotas.getMin()).isLessThanOrEqualTo(1);
    }

    @Test
    void a_member_takes_the_lowest_free_slots_and_never_anothers() {
        SlotTable table = SlotTable.EMPTY.filled("a", 3, SlotTable.ALL).filled("b", 2, SlotTable.ALL);

        assertThat(table.of("a")).containsExactly(0, 1, 2);
        assertThat(table.of("b")).containsExactly(3, 4);
        assertThat(table.without(Set.of(1)).filled("b", 4, SlotTable.ALL).of("b"))
                .containsExactly(1, 3, 4, 5);
        assertThat(table.of(Set.of("b")).holders()).hasSize(2);
        assertThat(table.filled("a", 2, SlotTable.ALL)).as("it has enough").isEqualTo(table);
    }

    @Test
    void outside_of_the_pool_nothing_is_taken() {
        SlotTable table = SlotTable.EMPTY.filled("a", 5, new TreeSet<>(Set.of(7, 9)));

        assertThat(table.of("a")).containsExactly(7, 9);
        assertThat(SlotTable.EMPTY.filled("a", 5, Collections.emptySortedSet())).isEqualTo(SlotTable.EMPTY);
    }

    @Test
    void a_table_reads_back_what_it_wrote() {
        SlotTable table = SlotTable.EMPTY.filled("a:\"1\"", 2, SlotTable.ALL).filled("b", 1, SlotTable.ALL);

        assertThat(table.write()).isEqualTo("{\"a:\\\"1\\\"\":[0,1],\"b\":[2]}");
        assertThat(SlotTable.parse(table.write())).isEqualTo(table);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":[0],\"b\":[0]}", "{\"a\":[256]}", "{\"a\":[-1]}", "{\"a\":[\"0\"]}", "[]", "{"})
    void a_table_that_says_nonsense_is_refused(String text) {
        assertThatThrownBy(() -> SlotTable.parse(text)).isInstanceOf(MalformedDocumentException.class);
    }
}
