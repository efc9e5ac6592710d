package io.sluice.provider.cosmos.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionTokenTest {
    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource({
        "0:5, 0:5, INCLUDES",
        "0:6, 0:5, INCLUDES",
        "0:4, 0:5, BEHIND",
        "0:-1#6, 0:-1#5, INCLUDES",
        "0:1#6#0=2#1=9, 0:1#6#0=8, INCLUDES",
        "0:1#5#1=9, 0:1#6, BEHIND",
        // After a failover, a split, and between forms nothing is known.
        "0:2#9, 0:1#5, UNKNOWN",
        "1:9, 0:5, UNKNOWN",
        "0:9, 0:1#5, UNKNOWN",
        "'0:9,1:9', 0:5, UNKNOWN",
        "0:9, '0:5,1:5', UNKNOWN",
        "'', 0:5, UNKNOWN",
        "0:9, x, UNKNOWN",
        "0:9, 0:, UNKNOWN",
        "0:9, 0:-5, UNKNOWN",
        "0:9, 0:9999999999999999999999, UNKNOWN",
        "0:9, ':5', UNKNOWN"
    })
    void a_read_shows_what_was_written_before_its_own_end_in_the_same_partition(
            String read, String written, SessionToken.Reach reach) {
        assertThat(SessionToken.reach(read, written)).isEqualTo(reach);
    }
}
