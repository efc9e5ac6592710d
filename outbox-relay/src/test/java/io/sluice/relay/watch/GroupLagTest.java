package io.sluice.relay.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.log.CapturedLog;
import io.sluice.relay.watch.GroupLag.Offset;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GroupLagTest {
    private long nowMillis = 1_000_000;
    private Map<Integer, Offset> offsets = Map.of();
    private Set<Integer> unknown = Set.of();
    private boolean away;
    private final GroupLag lag =
            new GroupLag("test", this::asked, () -> Instant.ofEpochMilli(nowMillis), Duration.ZERO);

    private GroupLag.Answer asked() throws TimeoutException {
        if (away) {
            throw new TimeoutException("no broker answers");
        }
        return new GroupLag.Answer(offsets, unknown);
    }

    private GroupLag.Measurement look(int afterSeconds, Map<Integer, Offset> now) throws InterruptedException {
        nowMillis += afterSeconds * 1_000L;
        offsets = now;
        lag.step();
        return lag.latest();
    }

    /** Looks every ten seconds, as long as that. */
    private GroupLag.Measurement lookFor(int seconds, Map<Integer, Offset> now) throws InterruptedException {
        for (int after = 10; after < seconds; after += 10) {
            look(10, now);
        }
        return look(10, now);
    }

    @Test
    void what_was_never_asked_is_unknown() {
        assertThat(lag.latest().records()).isNaN();
        assertThat(lag.latest().standing()).isNull();
        assertThat(lag.latest().standingSeconds()).isNaN();
    }

    @Test
    void a_group_that_takes_what_comes_does_not_stand_however_much_waits() throws InterruptedException {
        look(0, Map.of(0, new Offset(0, 1_000)));
        look(10, Map.of(0, new Offset(10, 2_000)));

        assertThat(look(10, Map.of(0, new Offset(20, 3_000))))
                .isEqualTo(new GroupLag.Measurement(2_980, Duration.ZERO));
    }

    @Test
    void one_partition_of_which_nothing_is_taken_stands() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 5), 1, new Offset(3, 3)));
        look(10, Map.of(0, new Offset(5, 6), 1, new Offset(4, 5)));

        assertThat(lookFor(70, Map.of(0, new Offset(5, 9), 1, new Offset(5, 6))))
                .isEqualTo(new GroupLag.Measurement(5, Duration.ofSeconds(70)));
        assertThat(look(10, Map.of(0, new Offset(9, 9), 1, new Offset(6, 6))))
                .isEqualTo(new GroupLag.Measurement(0, Duration.ZERO));
    }

    @Test
    void an_idle_group_does_not_stand() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 5)));

        assertThat(lookFor(10_000, Map.of(0, new Offset(5, 5))).standing()).isZero();
    }

    @Test
    void what_can_not_be_told_is_unknown() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 9)));
        away = true;

        assertThat(look(10, Map.of())).isEqualTo(GroupLag.Measurement.UNKNOWN);
    }

    @Test
    void a_measurement_that_grows_old_says_nothing_any_more() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 9)));
        look(20, Map.of(0, new Offset(5, 9)));

        nowMillis += GroupLag.LONGEST_GAP.toMillis() + 1;

        assertThat(lag.latest())
                .as("a client that hangs in its close must not leave the last figures behind")
                .isEqualTo(GroupLag.Measurement.UNKNOWN);
    }

    @Test
    void the_time_for_which_kafka_did_not_answer_is_not_time_that_a_group_stood() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 9)));
        look(10, Map.of(0, new Offset(5, 9)));
        away = true;
        look(20, Map.of());
        away = false;

        assertThat(look(20, Map.of(0, new Offset(5, 9))).standing()).isEqualTo(Duration.ofSeconds(10));
        assertThat(look(319, Map.of(0, new Offset(5, 9))).standing())
                .as("nor is the time of a question that took so long")
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(look(10, Map.of(0, new Offset(5, 9))).standing()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void a_partition_without_leader_hides_how_much_waits_and_not_that_another_stands() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 9), 1, new Offset(1, 2)));
        unknown = Set.of(1);

        var measured = lookFor(70, Map.of(0, new Offset(5, 9)));
        assertThat(measured.records()).as("records of the other are unknown").isNaN();
        assertThat(measured.standing()).isEqualTo(Duration.ofSeconds(70));
        assertThat(look(10, Map.of(0, new Offset(9, 9))).standing())
                .as("of a partition that has no leader nobody can take anything")
                .isZero();

        unknown = Set.of();
        assertThat(look(10, Map.of(0, new Offset(9, 9), 1, new Offset(1, 2))))
                .as("the time without a leader does not count")
                .isEqualTo(new GroupLag.Measurement(1, Duration.ofSeconds(10)));
    }

    @Test
    void a_client_that_can_not_be_made_makes_it_unknown_too() throws InterruptedException {
        var broken = new GroupLag(
                "test",
                () -> {
                    throw new KafkaException("No resolvable bootstrap urls given in bootstrap.servers");
                },
                () -> Instant.ofEpochMilli(nowMillis),
                Duration.ZERO);

        broken.step();

        assertThat(broken.latest()).isEqualTo(GroupLag.Measurement.UNKNOWN);
    }

    @Test
    void the_log_says_once_that_it_can_not_be_measured_and_once_that_it_is_known_again() throws InterruptedException {
        try (var log = CapturedLog.of(GroupLag.class)) {
            away = true;
            look(0, Map.of());
            look(10, Map.of());
            away = false;
            look(10, Map.of(0, new Offset(5, 5)));
            look(10, Map.of(0, new Offset(5, 5)));

            assertThat(log.lines())
                    .containsExactly(
                            "can't measure how far a consumer group is behind, that is unknown until Kafka answers",
                            "how far a consumer group is behind is known again");
        }
    }
}
