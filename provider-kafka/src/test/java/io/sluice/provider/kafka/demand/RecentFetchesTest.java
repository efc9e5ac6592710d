package io.sluice.provider.kafka.demand;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentFetchesTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final RecentFetches fetches = new RecentFetches(Duration.ofNanos(10), nanos::get);

    @Test
    void it_lasts_for_a_while_after_the_last_of_all_fetches() {
        fetches.fetchBegan();
        fetches.fetchBegan();
        fetches.fetchEnded();
        nanos.addAndGet(20);
        assertThat(fetches.hasAny()).as("one still fetches").isTrue();

        fetches.fetchEnded();
        nanos.addAndGet(9);
        assertThat(fetches.hasAny()).isTrue();
        nanos.addAndGet(1);
        assertThat(fetches.hasAny()).isFalse();
    }

    @Test
    void it_is_there_at_first() {
        nanos.addAndGet(9);
        assertThat(fetches.hasAny()).isTrue();

        nanos.addAndGet(1);
        assertThat(fetches.hasAny()).isFalse();
    }
}
