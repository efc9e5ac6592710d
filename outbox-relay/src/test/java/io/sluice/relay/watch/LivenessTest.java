package io.sluice.relay.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.control.Heartbeats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LivenessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static List<String> faults(boolean hasWork, Duration silence) {
        return Liveness.faults(List.of(new Liveness.Worker("the delivery of intents", hasWork, silence)), PATIENCE);
    }

    @Test
    void work_without_progress_for_too_long_is_a_fault_that_names_the_worker() {
        assertThat(faults(true, Duration.ofSeconds(61)))
                .containsExactly("the delivery of intents has not come through for 61 s, allowed are 60 s");
    }

    @Test
    void work_that_made_progress_lately_is_none() {
        assertThat(faults(true, Duration.ofSeconds(60))).isEmpty();
    }

    @Test
    void somebody_without_work_may_be_silent() {
        assertThat(faults(false, Duration.ofDays(1))).isEmpty();
    }

    @Test
    void silence_is_counted_from_the_latest_heartbeat_or_from_the_first_question() {
        var nanos = new AtomicLong();
        var heartbeats = new Heartbeats(nanos::get);

        assertThat(heartbeats.silence("a")).isZero();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        assertThat(heartbeats.silence("a")).hasSeconds(5);
        heartbeats.beat("a");
        assertThat(heartbeats.silence("a")).isZero();
    }
}
