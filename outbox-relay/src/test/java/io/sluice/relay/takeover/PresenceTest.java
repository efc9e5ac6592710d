package io.sluice.relay.takeover;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.feed.KeyRange;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pulse says. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PresenceTest {
    @Test
    void a_pulse_names_the_ranges() {
        var ranges = KeyRange.cut(3);

        assertThat(Presence.fromJson(Presence.of(ranges).toJson()))
                .hasValueSatisfying(presence -> assertThat(presence.keyRanges()).isEqualTo(ranges));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "7",
                "{",
                "[]",
                "{}",
                "{\"schemaVersion\":2,\"ranges\":[]}",
                "{\"schemaVersion\":1,\"ranges\":[null]}",
                "{\"schemaVersion\":1,\"ranges\":[{\"min\":\"\"}]}",
                "{\"schemaVersion\":1,\"ranges\":[{\"min\":\"FF\",\"max\":\"\"}]}",
                "{\"schemaVersion\":1,\"ranges\":[{\"min\":\"\",\"max\":\"here\"}]}"
            })
    void what_others_wrote_is_none(String json) {
        assertThat(Presence.fromJson(json.getBytes(UTF_8))).isEmpty();
        assertThat(Presence.fromJson(null)).isEmpty();
    }
}
