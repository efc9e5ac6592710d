package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.implementation.feedranges.FeedRangeEpkImpl;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeyRangeTest {
    @ParameterizedTest(name = "{0} ranges")
    @ValueSource(ints = {1, 2, 3, 4, 6, 7, 8, 64, 1000})
    void cut_ranges_leave_nothing_out_and_overlap_nowhere(int count) {
        var ranges = KeyRange.cut(count);

        assertThat(ranges).hasSize(count);
        assertThat(ranges.get(0).min()).as("the space begins here").isEmpty();
        assertThat(ranges.get(count - 1).max()).as("the space ends here").isEqualTo("FF");
        for (int i = 1; i < count; i++) {
            assertThat(ranges.get(i).min()).isEqualTo(ranges.get(i - 1).max());
        }
    }

    @Test
    void bounds_lie_in_the_half_filled_space_of_hash_version_two() {
        var ranges = KeyRange.cut(4);

        assertThat(ranges)
                .as("the two top bits of a hash are zero, so a cut of 00 to FF would leave three quarters empty")
                .containsExactly(
                        new KeyRange("", "10000000000000000000000000000000"),
                        new KeyRange("10000000000000000000000000000000", "20000000000000000000000000000000"),
                        new KeyRange("20000000000000000000000000000000", "30000000000000000000000000000000"),
                        new KeyRange("30000000000000000000000000000000", "FF"));
    }

    @Test
    void bounds_of_a_count_that_is_no_power_of_two_are_rounded_down() {
        assertThat(KeyRange.cut(3).get(1).min()).isEqualTo("15555555555555555555555555555555");
    }

    @Test
    void the_sdk_reads_the_same_range() {
        var range = new KeyRange("10000000000000000000000000000000", "20000000000000000000000000000000");

        var feedRange = (FeedRangeEpkImpl) range.toFeedRange();

        assertThat(feedRange.getRange().getMin()).isEqualTo(range.min());
        assertThat(feedRange.getRange().getMax()).isEqualTo(range.max());
        assertThat(feedRange.getRange().isMinInclusive()).isTrue();
        assertThat(feedRange.getRange().isMaxInclusive()).isFalse();
    }

    @Test
    void the_json_is_what_the_sdk_expects() {
        assertThat(new KeyRange("", "FF").toJson()).hasToString("{\"Range\":{\"min\":\"\",\"max\":\"FF\"}}");
    }

    @Test
    void a_range_that_ends_before_it_begins_is_refused() {
        assertThatThrownBy(() -> new KeyRange("20", "10")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void no_ranges_are_refused() {
        assertThatThrownBy(() -> KeyRange.cut(0)).hasMessageContaining("at least 1, was 0");
    }
}
