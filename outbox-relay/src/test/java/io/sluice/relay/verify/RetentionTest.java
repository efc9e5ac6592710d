package io.sluice.relay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RetentionTest {
    @Test
    void partitions_that_never_lost_a_record_begin_with_the_first_event() {
        var retention = new Retention(Map.of(0, PublishedHistory.WHOLE), false).beginningWith(1_000);

        assertThat(retention.mayHaveTaken("a", 999)).isTrue();
        assertThat(retention.mayHaveTaken("a", 1_000)).isFalse();
    }
}
