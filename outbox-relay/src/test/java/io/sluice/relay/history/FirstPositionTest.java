package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirstPositionTest {
    @Test
    void the_log_says_in_words_where_a_range_begins() {
        assertThat(FirstPosition.AT_FIRST_START.begin()).isEqualTo("the beginning of the feed");
        assertThat(FirstPosition.since(Instant.EPOCH).begin()).isEqualTo("changes since 1970-01-01T00:00:00Z");
    }
}
