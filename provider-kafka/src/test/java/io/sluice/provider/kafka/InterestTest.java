package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InterestTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final Interest interest = new Interest(Duration.ofNanos(10), nanos::get);

    @Test
    void it_lasts_for_a_while_after_the_last_of_all_fetches() {
        interest.fetchBegan();
        interest.fetchBegan();
        interest.fetchEnded();
        nanos.addAndGet(20);
        assertThat(interest.isThere()).as("one still looks").isTrue();

        interest.fetchEnded();
        nanos.addAndGet(9);
        assertThat(interest.isThere()).isTrue();
        nanos.addAndGet(1);
        assertThat(interest.isThere()).isFalse();
    }

    @Test
    void it_is_there_at_first() {
        nanos.addAndGet(9);
        assertThat(interest.isThere()).isTrue();

        nanos.addAndGet(1);
        assertThat(interest.isThere()).isFalse();
    }
}
