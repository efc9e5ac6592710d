package io.sluice.relay.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.relay.command.CommandStatus;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.dispatch.DispatchMeters;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.status.RelayStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentedMetersTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| (`sluice\\.relay\\.[a-z.]+`(, `sluice\\.relay\\.[a-z.]+`)*) \\|");

    private static final HealthMeters.Standing STANDING = new HealthMeters.Standing(
            () -> true,
            () -> false,
            () -> 0.25,
            () -> 0.125,
            () -> Duration.ofMillis(-1_500),
            () -> Duration.ofSeconds(1));

    private static final KeyRange THIRD = new KeyRange("20000000", "30000000");
    private static final KeyRange FOURTH = new KeyRange("30000000", "FF");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RelayMeters meters = new RelayMeters(
            registry,
            new RelayMeters.Sources(
                    () -> new RelayStatus.Intents(
                            1, 2, 3, 4, 5, 6, 8, new RelayStatus.Dispatches(null, 7, null, null, "closed")),
                    () -> new CommandStatus(6, 7, 8, null, new CommandStatus.Parked(9, 10, 1, null)),
                    () -> Double.NaN,
                    new Pauses()));

    @Test
    void every_meter_is_in_the_documentation_and_nothing_else_is() throws IOException {
        exercise();

        var documented = ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")))
                .results()
                .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ")))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()))
                .containsAll(documented)
                .allSatisfy(name -> assertThat(documented).contains(name));
    }

    private void exercise() {
        meters.recordDelivery(5);
        meters.recordPublished(5);
        meters.recordCommit(THIRD, 10, 1_000);
        meters.recordAbort(1_000);
        meters.lag(List.of(new RelayMeters.Lag(THIRD, 10, 20)));
        meters.unavailable(List.of(THIRD));
        new CosmosMeters(registry).record("batch_document", 429, Duration.ofMillis(3), 0);
        HealthMeters.register(registry, STANDING);
        HealthMeters.registerStreams(registry, () -> true, () -> 0, () -> 0);
        HealthMeters.registerCommands(registry, () -> 0, () -> 0);
        new DispatchMeters(registry).register(() -> 0, () -> 0);
        HealthMeters.stuck(registry).increment();
        HealthMeters.removed(registry).increment();
        HealthMeters.jumps(registry).increment();
    }

    @Test
    void how_a_replica_stands_is_told_in_ones_and_zeros() {
        HealthMeters.register(registry, STANDING);

        assertThat(registry.scrape())
                .contains("sluice_relay_live 1.0")
                .contains("sluice_relay_ready 0.0")
                .contains("sluice_relay_history_share 0.25")
                .contains("sluice_relay_clock_offset_seconds -1.5");
    }

    @Test
    void a_range_that_went_elsewhere_is_shown_no_more_and_what_is_unknown_is_not_zero() {
        meters.lag(List.of(new RelayMeters.Lag(THIRD, 10, 20)));
        meters.lag(List.of(new RelayMeters.Lag(FOURTH, Double.NaN, Double.NaN)));

        assertThat(registry.scrape())
                .contains("sluice_relay_history_lag_events{range=\"30000000-FF\"} NaN")
                .contains("sluice_relay_dead_letters NaN")
                .doesNotContain("range=\"20000000-30000000\"");
    }

    @Test
    void a_partition_that_is_well_again_is_shown_no_more() {
        meters.unavailable(List.of(THIRD, FOURTH));
        meters.unavailable(List.of(FOURTH));

        assertThat(registry.scrape())
                .contains("sluice_relay_partition_unavailable{range=\"30000000-FF\"} 1.0")
                .doesNotContain("range=\"20000000-30000000\"");
    }

    @Test
    void answers_are_told_apart_by_what_they_mean() {
        var cosmos = new CosmosMeters(registry);
        for (int status : new int[] {200, 304, 409, 429, 503}) {
            cosmos.record("Batch Document", status, Duration.ofMillis(1), 2.5);
        }

        assertThat(outcomes()).containsExactlyInAnyOrder("ok", "refused", "throttled", "failed");
        assertThat(registry.get("sluice.relay.cosmos.charge").summary().totalAmount())
                .isEqualTo(12.5);
    }

    private List<String> outcomes() {
        return Pattern.compile("requests_seconds_count\\{.*outcome=\"(\\w+)\"")
                .matcher(registry.scrape())
                .results()
                .map(MatchResult::group)
                .map(row -> row.replaceAll(".*outcome=\"(\\w+)\"", "$1"))
                .toList();
    }
}
