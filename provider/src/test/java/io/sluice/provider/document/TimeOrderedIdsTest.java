package io.sluice.provider.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimeOrderedIdsTest {
    private final TimeOrderedIds ids = new TimeOrderedIds(new SplittableRandom(1));

    @Test
    void ids_of_one_millisecond_grow_as_text_even_past_the_counter() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            made.add(ids.next(1_740_000_000_000L));
        }

        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_clock_that_steps_back_does_not_take_the_ids_with_it() {
        String before = ids.next(2_000);

        assertThat(ids.next(1_000)).isGreaterThan(before);
    }

    @Test
    void they_are_uuids_of_version_seven() {
        UUID id = UUID.fromString(ids.next(1_740_000_000_000L));

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(1_740_000_000_000L);
    }
}
