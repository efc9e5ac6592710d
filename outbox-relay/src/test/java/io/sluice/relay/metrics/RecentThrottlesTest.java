package io.sluice.relay.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecentThrottlesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final RecentThrottles throttles = new RecentThrottles();

    private void met(long fromSecond, long toSecond) {
        LongStream.range(fromSecond, toSecond).forEach(second -> throttles.met(second * SECOND));
    }

    @Test
    void some_are_no_problem() {
        met(0, 9);

        assertThat(throttles.isMany(9 * SECOND)).isFalse();
    }

    @Test
    void many_within_a_minute_are() {
        met(0, 25);

        assertThat(throttles.isMany(60 * SECOND)).isTrue();
    }

    @Test
    void and_are_forgotten_a_minute_later() {
        met(0, 25);

        assertThat(throttles.isMany(90 * SECOND)).isFalse();
    }
}
