package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LockEndTest {
    private static final DispatchTiming TIMING = DispatchTiming.USUAL;
    private static final Duration SLOW = Duration.ofSeconds(8);

    private final AtomicLong nanos = new AtomicLong(-1_000);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void a_lock_is_counted_from_the_request_that_took_it() {
        long askedAt = nanos.get();
        pass(SLOW);

        LockEnd end = LockEnd.from(nanos::get, askedAt, TIMING);

        assertThat(end.left()).isEqualTo(TIMING.lock().minus(SLOW));
    }

    @Test
    void a_renewed_lock_is_counted_from_the_request_that_renewed_it() {
        LockEnd end = LockEnd.from(nanos::get, nanos.get(), TIMING);
        pass(TIMING.renewal());

        end.renew(TIMING, () -> pass(SLOW));

        assertThat(end.left()).isEqualTo(TIMING.lock().minus(SLOW));
        assertThat(end.isDue()).isFalse();
        pass(TIMING.renewal().minus(SLOW));
        assertThat(end.isDue()).isTrue();
    }

    @Test
    void a_lock_is_over_when_its_time_has_passed() {
        LockEnd end = LockEnd.from(nanos::get, nanos.get(), TIMING);

        pass(TIMING.lock().minusNanos(1));
        assertThat(end.isOver()).isFalse();

        pass(Duration.ofNanos(1));
        assertThat(end.isOver()).isTrue();
    }
}
