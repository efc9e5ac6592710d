package io.sluice.examples.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutboxLatencyTest {
    private static final Instant START = Instant.ofEpochMilli(1_740_000_000_000L);

    private final OutboxLatency latency = new OutboxLatency();

    @Test
    void a_delivery_counts_once_in_whatever_order_and_however_often_it_is_reported() {
        latency.delivered("a", START.plusMillis(120));
        latency.committed("a", START);
        latency.committed("a", START);
        latency.delivered("a", START.plusMillis(900));

        assertThat(latency.summary()).isEqualTo(new LatencySummary(1, 120, 120, 120));
    }

    @Test
    void an_intent_that_was_not_delivered_is_not_counted() {
        latency.committed("a", START);

        assertThat(latency.summary()).isEqualTo(new LatencySummary(0, 0, 0, 0));
    }

    @Test
    void percentiles_and_moments_tell_the_usual_from_the_rare() {
        for (int i = 0; i < 100; i++) {
            latency.committed("i" + i, START.plusSeconds(i));
            latency.delivered("i" + i, START.plusSeconds(i).plusMillis(i < 98 ? 50 : 9_000));
        }

        assertThat(latency.summary().p50Millis()).isEqualTo(50);
        assertThat(latency.summary().p99Millis()).isBetween(9_000L, 9_010L);
        assertThat(latency.summaryBefore(START.plusSeconds(90)).maxMillis()).isEqualTo(50);
    }

    @Test
    void event_times_pair_a_scheduled_child_with_its_start_and_its_end_with_the_answer_in_the_parent() {
        EventTimes times = new EventTimes(latency);

        times.take(event("p", 8, 0, new EventKind.SubOrchestrationScheduled("ship", "p::sub::8", "")));
        times.take(event(
                "p::sub::8", 1, 70, new EventKind.OrchestrationStarted("ship", "1", "", "p", 8L, 1L, null, null)));
        times.take(event("p::sub::8", 2, 100, new EventKind.OrchestrationCompleted("x")));
        times.take(
                event("p", 9, 190, new EventKind.SubOrchestrationCompleted("x")).withSourceEventId(8));

        assertThat(latency.summary()).isEqualTo(new LatencySummary(2, 70, 90, 90));
    }

    private static HistoryEvent event(String instance, long id, long afterMillis, EventKind kind) {
        return HistoryEvent.of(id, instance, 1, START.toEpochMilli() + afterMillis, "0.1.32", kind);
    }
}
