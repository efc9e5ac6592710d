package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseReportTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private static JsonNode lease(String min, String max, Instant renewed) {
        var lease = JsonNodeFactory.instance.objectNode();
        lease.putObject("feedRange").putObject("Range").put("min", min).put("max", max);
        var token = min + "-" + max;
        return lease.put("id", "relay.." + token)
                .put("LeaseToken", token)
                .put("version", 1)
                .put("timestamp", renewed.toString())
                .put("_ts", renewed.getEpochSecond());
    }

    private static LeaseReport report(JsonNode... leases) {
        return LeaseReport.of(List.of(leases), NOW, PATIENCE);
    }

    @Test
    void leases_that_cover_everything_and_are_renewed_are_well() {
        assertThat(report(lease("20", "FF", NOW), lease("", "20", NOW)).isWell())
                .isTrue();
    }

    @Test
    void a_missing_lease_is_a_gap() {
        assertThat(report(lease("", "10", NOW), lease("30", "FF", NOW)).gaps())
                .as("two of four leases could not be made at the first start, and no error was ever shown")
                .containsExactly(new KeyRange("10", "30"));
    }

    @Test
    void missing_ends_are_gaps() {
        assertThat(report(lease("10", "20", NOW)).gaps())
                .containsExactly(new KeyRange("", "10"), new KeyRange("20", "FF"));
    }

    @Test
    void no_lease_at_all_is_one_gap() {
        assertThat(report().gaps()).containsExactly(new KeyRange("", "FF"));
    }

    @Test
    void leases_that_overlap_during_a_split_are_well() {
        assertThat(report(lease("", "FF", NOW), lease("", "20", NOW), lease("20", "FF", NOW))
                        .isWell())
                .isTrue();
    }

    @Test
    void a_lease_that_nobody_renews_is_neglected() {
        assertThat(report(lease("", "20", NOW.minusSeconds(46)), lease("20", "FF", NOW.minusSeconds(44)))
                        .neglected())
                .containsExactly("-20");
    }

    @Test
    void a_lease_that_was_never_renewed_is_neglected() {
        var fresh = (ObjectNode) lease("", "FF", NOW);

        fresh.putNull("timestamp").put("_ts", NOW.minusSeconds(46).getEpochSecond());

        assertThat(report(fresh).neglected()).containsExactly("-FF");
    }

    @Test
    void the_clocks_of_the_machines_do_not_count() {
        var ahead = ((ObjectNode) lease("", "20", NOW.minusSeconds(46)))
                .put("timestamp", NOW.plusSeconds(20).toString());
        var behind = ((ObjectNode) lease("20", "FF", NOW))
                .put("timestamp", NOW.minusSeconds(60).toString());

        assertThat(report(ahead, behind).neglected()).containsExactly("-20");
    }

    @Test
    void a_corrupt_lease_covers_nothing_and_is_told_with_its_fault() {
        var corrupt = ((ObjectNode) lease("", "20", NOW)).put("timestamp", "yesterday");

        var report = report(corrupt, lease("20", "FF", NOW));

        assertThat(report.corrupt()).containsExactly("relay..-20: timestamp must be a time, it is \"yesterday\"");
        assertThat(report.gaps()).containsExactly(new KeyRange("", "20"));
        assertThat(report.neglected()).isEmpty();
        assertThat(report.isWell()).isFalse();
    }
}
