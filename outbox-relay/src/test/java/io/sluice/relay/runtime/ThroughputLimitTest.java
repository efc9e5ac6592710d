package io.sluice.relay.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.relay.TestConfig;
import io.sluice.relay.runtime.ThroughputLimit.Part;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each of the two clients may take. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ThroughputLimitTest {
    @ParameterizedTest(name = "limit {0}, share {1}, scans {2}")
    @CsvSource({
        "0, 0, 0, 0, 0, 0, 0",
        "0, 0, 50, 25, 0, 0, 0",
        "0, 0, 1, 1, 0, 0, 0",
        "400, 0, 0, 50, 150, 0, 0",
        "400, 0, 60, 30, 170, 0, 0",
        "400, 0, 1000, 100, 100, 0, 0",
        "1, 0, 0, 1, 1, 0, 0",
        "0, 0.4, 0, 0, 0, 0.05, 0.15",
        "0, 0.4, 60, 30, 0, 0, 0.15"
    })
    void scans_and_the_rest_share_what_is_allowed(
            int limit, double share, int scanLimit, int scans, int others, double scansShare, double othersShare) {
        var config =
                TestConfig.operations(Duration.ofMinutes(5), 1, limit, share).withScanLimit(scanLimit);

        var part = Part.of(config);

        assertThat(part.scans()).isEqualTo(scans);
        assertThat(part.others()).isEqualTo(others);
        assertThat(part.scansShare()).isCloseTo(scansShare, within(1e-9));
        assertThat(part.othersShare()).isCloseTo(othersShare, within(1e-9));
    }
}
