package io.sluice.durabletask.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RefusedVersionsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong();
    private final RefusedVersions refused = new RefusedVersions(nanos::get);

    @Test
    void the_last_version_of_a_name_is_told_for_as_long_as_is_asked() {
        refused.note("ship", "1");
        refused.note("ship", "2");

        nanos.addAndGet(MINUTE.toNanos());

        assertThat(refused.within(MINUTE, "ship")).contains("2");
        assertThat(refused.within(MINUTE.minusNanos(1), "ship")).isEmpty();
        assertThat(refused.within(MINUTE, "pack")).isEmpty();
    }

    @Test
    void of_too_many_names_the_one_that_was_refused_longest_ago_is_forgotten() {
        IntStream.range(0, 1_000).forEach(i -> refused.note("ship" + i, "1"));
        refused.note("ship0", "2");
        refused.note("one more", "1");

        assertThat(refused.within(MINUTE, "ship0")).contains("2");
        assertThat(refused.within(MINUTE, "ship1")).isEmpty();
        assertThat(refused.within(MINUTE, "ship2")).isPresent();
    }
}
