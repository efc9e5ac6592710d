package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangeLagTest {
    private static final long START = Instant.parse("2026-01-01T12:00:00.900Z").toEpochMilli();
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final AtomicLong millis = new AtomicLong(START);
    private final RangeLag lag = new RangeLag(this::now, LONGEST_REST);

    private Instant now() {
        return Instant.ofEpochMilli(millis.get());
    }

    private void after(Duration passed) {
        millis.addAndGet(passed.toMillis());
    }

    /** Of documents that were changed so long ago. */
    private void read(Duration... ages) {
        var documents = List.of(ages).stream()
                .map(age -> now().minus(age).getEpochSecond())
                .map(second -> (JsonNode) JsonNodeFactory.instance.objectNode().put("_ts", second))
                .toList();
        lag.read(new FeedPage(documents, "next"));
    }

    @Test
    void one_that_has_just_begun_has_its_time() {
        assertThat(lag.isBehind(PATIENCE)).isFalse();

        after(PATIENCE.plusMillis(1));

        assertThat(lag.isBehind(PATIENCE)).isTrue();
    }

    @Test
    void one_that_reads_what_is_old_is_behind_at_once() {
        read(Duration.ofHours(3), Duration.ofHours(2));

        assertThat(lag.isBehind(PATIENCE)).isTrue();
    }

    @Test
    void the_latest_change_of_a_page_decides() {
        read(Duration.ofHours(3), Duration.ofSeconds(3));

        assertThat(lag.isBehind(PATIENCE)).isFalse();
    }

    @Test
    void what_was_changed_during_a_rest_is_new() {
        after(LONGEST_REST);
        read(LONGEST_REST.plusMillis(999));

        assertThat(lag.isBehind(PATIENCE)).isFalse();
    }

    @Test
    void one_that_has_come_to_the_end_is_not_behind_any_more() {
        read(Duration.ofHours(3));
        after(PATIENCE.plusMillis(1));
        read();

        assertThat(lag.isBehind(PATIENCE)).isFalse();
    }

    @Test
    void one_of_two_feeds_that_is_behind_makes_the_range_behind() {
        read(Duration.ofHours(3));
        after(Duration.ofMillis(10));
        read(Duration.ofMillis(10));

        assertThat(lag.isBehind(PATIENCE)).isTrue();
    }

    @Test
    void documents_that_bear_no_time_are_not_old() {
        lag.read(new FeedPage(List.of(JsonNodeFactory.instance.objectNode()), "next"));

        assertThat(lag.isBehind(PATIENCE)).isFalse();
    }
}
