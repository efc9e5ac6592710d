package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SweepRangesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private static JsonNode lease(String min, String max, @Nullable String owner, Instant renewed) {
        var lease = JsonNodeFactory.instance.objectNode();
        lease.putObject("feedRange").putObject("Range").put("min", min).put("max", max);
        return lease.put("id", "relay.." + min + "-" + max)
                .put("LeaseToken", min + "-" + max)
                .put("version", 1)
                .put("timestamp", renewed.toString())
                .put("_ts", renewed.getEpochSecond())
                .put("Owner", owner);
    }

    private static SweepRanges of(JsonNode... leases) {
        return SweepRanges.of(List.of(leases), "me", NOW, Duration.ofSeconds(45));
    }

    @Test
    void a_replica_sweeps_what_it_has_and_leaves_the_rest_to_the_others() {
        var swept = of(lease("", "20", "me", NOW), lease("20", "FF", "other", NOW));

        assertThat(swept.ranges()).containsExactly(new KeyRange("", "20"));
        assertThat(swept.settled()).isTrue();
    }

    @Test
    void what_nobody_has_yet_is_waited_for() {
        var swept = of(lease("", "20", "me", NOW), lease("20", "FF", null, NOW));

        assertThat(swept.ranges()).containsExactly(new KeyRange("", "20"));
        assertThat(swept.settled()).isFalse();
    }

    @Test
    void what_nobody_renews_is_swept_by_all() {
        var swept = of(lease("", "20", "me", NOW), lease("20", "FF", "dead", NOW.minusSeconds(50)));

        assertThat(swept.ranges()).containsExactly(new KeyRange("", "20"), new KeyRange("20", "FF"));
    }

    @Test
    void parts_without_a_lease_are_swept_by_all() {
        assertThat(of(lease("20", "FF", "other", NOW)).ranges()).containsExactly(new KeyRange("", "20"));
    }
}
