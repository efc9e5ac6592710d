package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseDefectTest {
    private static ObjectNode sound() {
        var lease = JsonNodeFactory.instance
                .objectNode()
                .put("id", "orders-intents-host_rid..-20")
                .put("LeaseToken", "-20")
                .put("timestamp", "2026-01-01T12:00:00.123456789Z")
                .put("Owner", "relay-1")
                .put("version", 1)
                .putNull("ContinuationToken");
        lease.putObject("feedRange").putObject("Range").put("min", "").put("max", "20");
        return lease;
    }

    @Test
    void a_sound_lease_has_none() {
        assertThat(LeaseDefect.in(sound())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamp", "Owner", "ContinuationToken"})
    void what_a_fresh_lease_lacks_may_be_missing(String field) {
        assertThat(LeaseDefect.in(sound().without(field))).isEmpty();
        assertThat(LeaseDefect.in(sound().putNull(field))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-01T12:00:00Z", "2026-01-01T12:00:00Z[UTC]", "2026-01-01T13:00:00.5+01:00"})
    void times_are_what_the_processor_takes_for_one(String time) {
        assertThat(LeaseDefect.in(sound().put("timestamp", time))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Corruption.class)
    void a_corrupt_one_is_told_by_its_field(Corruption corruption) {
        assertThat(LeaseDefect.in(corruption.of(sound())))
                .hasValueSatisfying(
                        fault -> assertThat(fault)
                                .matches(
                                        "(LeaseToken|feedRange|version|Owner|timestamp|ContinuationToken) must be .*, it is .*"));
    }
}
