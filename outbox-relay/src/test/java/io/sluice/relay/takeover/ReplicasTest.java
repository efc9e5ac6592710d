package io.sluice.relay.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.feed.KeyRange;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Pulses in the order of their topic. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplicasTest {
    private static final List<KeyRange> RANGES = KeyRange.cut(16);
    private static final List<KeyRange> NONE = List.of();
    /** Until another replica is silent: its first pulse after that one's last begins the count. */
    private static final int PULSES = 5;

    private final Replicas replicas = new Replicas("us");
    private long now = 1_000_000;

    private void pulses(int count) {
        for (int i = 0; i < count; i++) {
            replicas.hear("us", NONE, now);
            now += Replicas.INTERVAL_MILLIS;
        }
    }

    private void othersPulse(String replica, List<KeyRange> ranges) {
        replicas.hear(replica, ranges, now);
    }

    @Test
    void the_ranges_of_a_replica_that_is_silent_for_two_seconds_are_orphans() {
        pulses(1);
        othersPulse("other", RANGES);

        pulses(PULSES - 1);
        assertThat(replicas.orphans(NONE)).isEmpty();
        pulses(1);

        assertThat(replicas.orphans(NONE)).containsExactlyInAnyOrderElementsOf(RANGES);
    }

    @Test
    void a_replica_that_has_no_pulses_itself_takes_nobody_for_silent() {
        pulses(1);
        othersPulse("other", RANGES);

        now += 60_000;
        assertThat(replicas.orphans(NONE)).isEmpty();
        pulses(1);

        assertThat(replicas.orphans(NONE))
                .as("Kafka took no pulses for a minute, and the other's comes next")
                .isEmpty();
    }

    @Test
    void a_gap_in_its_own_pulses_says_nothing_of_others() {
        pulses(1);
        othersPulse("other", RANGES);
        pulses(PULSES - 1);

        now += 3 * Replicas.INTERVAL_MILLIS;
        pulses(PULSES - 1);
        assertThat(replicas.orphans(NONE)).isEmpty();
        pulses(1);

        assertThat(replicas.orphans(NONE)).hasSameSizeAs(RANGES);
    }

    @Test
    void clocks_of_others_do_not_matter() {
        pulses(1);
        replicas.hear("other", RANGES, now - 3_600_000);
        pulses(PULSES - 1);

        assertThat(replicas.orphans(NONE)).isEmpty();
    }

    @Test
    void those_that_live_share_the_orphans() {
        var names = List.of("us", "second", "third");
        othersPulse("dead", RANGES);
        var shares = names.stream()
                .map(name -> {
                    var each = new Replicas(name);
                    names.forEach(any -> each.hear(any, NONE, now));
                    each.hear("dead", RANGES, now);
                    IntStream.range(0, PULSES + 1)
                            .forEach(i ->
                                    names.forEach(any -> each.hear(any, NONE, now + i * Replicas.INTERVAL_MILLIS)));
                    return each.orphans(NONE);
                })
                .toList();

        assertThat(shares.stream().flatMap(share -> share.stream()))
                .as("each is one's")
                .containsExactlyInAnyOrderElementsOf(RANGES);
        assertThat(shares).allSatisfy(share -> assertThat(share).isNotEmpty());
    }

    @Test
    void who_would_be_first_but_is_silent_too_is_passed_over() {
        pulses(1);
        Stream.of("second", "third", "dead").forEach(name -> othersPulse(name, name.equals("dead") ? RANGES : NONE));
        pulses(PULSES);

        assertThat(replicas.orphans(NONE)).containsExactlyInAnyOrderElementsOf(RANGES);
    }

    @Test
    void who_began_after_the_last_pulse_of_a_silent_one_is_passed_over() {
        pulses(1);
        othersPulse("dead", RANGES);
        for (int i = 0; i < PULSES; i++) {
            pulses(1);
            othersPulse("restarted", NONE);
        }
        pulses(1);

        assertThat(replicas.orphans(NONE)).as("it has heard nothing of it").containsExactlyInAnyOrderElementsOf(RANGES);
    }

    @Test
    void a_range_that_another_has_taken_is_nobodys_to_sweep() {
        pulses(1);
        othersPulse("dead", RANGES);
        for (int i = 0; i < PULSES; i++) {
            pulses(1);
            othersPulse("heir", RANGES.subList(0, 15));
        }
        pulses(1);

        assertThat(replicas.orphans(NONE)).isSubsetOf(RANGES.subList(15, 16));
        assertThat(replicas.orphans(RANGES.subList(15, 16))).as("it is ours").isEmpty();
    }

    @Test
    void a_replica_that_pulses_again_has_its_ranges_back() {
        pulses(1);
        othersPulse("other", RANGES);
        pulses(PULSES);

        othersPulse("other", RANGES);

        assertThat(replicas.orphans(NONE)).isEmpty();
    }

    @Test
    void one_that_has_said_good_bye_leaves_no_orphans() {
        pulses(1);
        othersPulse("other", RANGES);
        othersPulse("other", NONE);
        pulses(PULSES);

        assertThat(replicas.orphans(NONE)).isEmpty();
    }
}
