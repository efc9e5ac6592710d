package io.sluice.client.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutOfRangeTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders.lifecycle", 0);

    private static String lost(long asked, long first, long end) {
        return OutOfRange.lost(Map.of(PARTITION, asked), Map.of(PARTITION, first), Map.of(PARTITION, end))
                .orElse("nothing");
    }

    @Test
    void events_before_the_first_that_is_there_were_deleted() {
        assertThat(lost(2, 3, 9))
                .startsWith(
                        "events of [orders.lifecycle-0] were deleted by the topic's retention before they were read");
    }

    @Test
    void a_topic_that_ends_before_what_was_read_is_another_one() {
        assertThat(lost(7, 0, 6)).startsWith("[orders.lifecycle-0] ends before what was read already");
    }

    @Test
    void what_is_there_after_all_is_asked_for_again() {
        assertThat(lost(2, 0, 4)).isEqualTo("nothing");
        assertThat(lost(0, 0, 0)).isEqualTo("nothing");
        assertThat(lost(4, 0, 4)).as("the next event").isEqualTo("nothing");
    }
}
