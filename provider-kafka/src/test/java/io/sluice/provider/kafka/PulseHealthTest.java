package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PulseHealthTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static final WorkStore OTHER = new WorkStore("account", "sluice", "invoices", "rid-2");

    private final FeedConfig config = KafkaWorkFeed.builder()
            .clientProperties(Map.of("bootstrap.servers", "127.0.0.1:1"))
            .pulseTimeout(Duration.ofSeconds(10))
            .longestLag(Duration.ofSeconds(5))
            .topicPrefix("orders")
            .config();
    private final PulseHealth health = new PulseHealth(TestBroker.STORE, config);

    @Test
    void no_pulse_is_a_problem() {
        assertThat(health.problem(0)).contains("no pulse");
    }

    @Test
    void every_range_needs_a_pulse_of_the_last_ten_seconds() {
        health.heard(Pulse.of(TestBroker.STORE, "", "20", 0, 0, 0), 0);
        assertThat(health.problem(0)).contains("range [20, FF)");

        health.heard(Pulse.of(TestBroker.STORE, "20", "FF", 0, 0, 0), 5 * SECOND);
        assertThat(health.problem(10 * SECOND)).isNull();
        assertThat(health.problem(10 * SECOND + 1)).contains("range [, 20)");
    }

    @Test
    void the_whole_key_space_needs_pulses() {
        health.heard(Pulse.of(TestBroker.STORE, "", "10", 0, 0, 0), 0);
        health.heard(Pulse.of(TestBroker.STORE, "20", "FF", 0, 0, 0), 0);
        assertThat(health.problem(0)).contains("range [10, 20)");

        health.heard(Pulse.of(TestBroker.STORE, "10", "20", 0, 0, 0), 0);
        assertThat(health.problem(0)).isNull();
    }

    @Test
    void more_than_five_seconds_of_lag_are_a_problem() {
        health.heard(Pulse.of(TestBroker.STORE, "", "FF", 0, 5_000, 0), 0);
        assertThat(health.problem(0)).isNull();

        health.heard(Pulse.of(TestBroker.STORE, "", "FF", 0, 5_001, 0), 0);
        assertThat(health.problem(0)).contains("5001 ms");
    }

    @Test
    void a_range_that_was_split_counts_by_its_parts() {
        health.heard(Pulse.of(TestBroker.STORE, "20", "FF", 0, 9_000, 0), 0);
        health.heard(Pulse.of(TestBroker.STORE, "", "FF", 0, 0, 0), 0);
        assertThat(health.problem(0)).isNull();

        health.heard(Pulse.of(TestBroker.STORE, "", "20", 0, 0, 0), 0);
        assertThat(health.problem(0))
                .as("the whole is gone, and one of its parts is silent")
                .contains("range [20, FF)");
    }

    @Test
    void pulses_of_another_store_are_none_and_both_are_named() {
        health.heard(Pulse.of(OTHER, "", "FF", 0, 0, 0), 0);

        assertThat(health.problem(0))
                .contains("the topicPrefix orders")
                .contains(OTHER.toString())
                .contains(TestBroker.STORE.toString());
        assertThat(health.isOfAnother(10 * SECOND)).isTrue();
        assertThat(health.problem(10 * SECOND + 1)).contains("no pulse");
        assertThat(health.isOfAnother(10 * SECOND + 1)).isFalse();
    }

    @Test
    void pulses_of_another_store_beside_those_of_this_one_do_not_matter() {
        health.heard(Pulse.of(TestBroker.STORE, "", "FF", 0, 0, 0), 0);
        health.heard(Pulse.of(OTHER, "", "20", 0, 9_000, 0), 0);

        assertThat(health.problem(0)).isNull();
        assertThat(health.isOfAnother(0)).isFalse();

        health.heard(Pulse.of(OTHER, "", "20", 0, 9_000, 0), 10 * SECOND + 1);
        assertThat(health.isOfAnother(10 * SECOND + 1))
                .as("this store's relay is silent")
                .isTrue();
    }

    @Test
    void a_container_made_again_is_another_store_and_another_endpoint_is_the_same() {
        health.heard(Pulse.of(new WorkStore("account", "sluice", "orders", "rid-3"), "", "FF", 0, 0, 0), 0);
        assertThat(health.problem(0)).contains("rid-3");

        health.heard(Pulse.of(new WorkStore("account-west", "sluice", "orders", "rid-1"), "", "FF", 0, 0, 0), 0);
        assertThat(health.problem(0)).isNull();
    }

    @Test
    void the_time_that_a_relay_writes_does_not_matter() {
        health.heard(Pulse.of(TestBroker.STORE, "", "FF", -1_000_000, 0, 0), 0);
        assertThat(health.problem(SECOND)).isNull();
    }
}
