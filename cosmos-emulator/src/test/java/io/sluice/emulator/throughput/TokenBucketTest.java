package io.sluice.emulator.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final TokenBucket bucket = new TokenBucket();

    @Test
    void what_is_left_may_be_overdrawn_by_one_request_and_is_waited_for() {
        assertThat(bucket.waitMillis(100, START)).isZero();
        bucket.spend(99);
        assertThat(bucket.waitMillis(100, START)).isZero();
        bucket.spend(51);

        assertThat(bucket.waitMillis(100, START)).isEqualTo(501);
        assertThat(bucket.waitMillis(100, START.plusMillis(400))).isEqualTo(101);
        assertThat(bucket.waitMillis(100, START.plusMillis(501))).isZero();
    }

    @Test
    void no_more_than_a_second_is_saved_up() {
        assertThat(bucket.waitMillis(100, START)).isZero();

        assertThat(bucket.waitMillis(100, START.plusSeconds(3600))).isZero();
        bucket.spend(150);
        assertThat(bucket.waitMillis(100, START.plusSeconds(3600))).isPositive();
    }

    @Test
    void a_clock_that_goes_back_gives_nothing() {
        assertThat(bucket.waitMillis(100, START)).isZero();
        bucket.spend(150);

        assertThat(bucket.waitMillis(100, START.minusSeconds(10))).isEqualTo(501);
    }
}
