package io.sluice.durabletask.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.waiting.WaitingView.Waiting;
import io.sluice.durabletask.worker.WorkKind;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitingMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private @Nullable WaitingView view;
    private final WaitingMeters meters = new WaitingMeters(registry, "orders", () -> view);

    private void show(Stream<Waiting> waiting) {
        view = new WaitingView(Instant.EPOCH, waiting.toList(), false);
        meters.show(view);
    }

    private static Waiting turn(String name, @Nullable String version, double ageSeconds, boolean isTaken) {
        return new Waiting(WorkKind.TURN, name, version, 1, ageSeconds, isTaken);
    }

    private Set<String> types() {
        return registry.find("sluice.host.waiting.type").tag("kind", "turn").gauges().stream()
                .map(gauge -> gauge.getId().getTag("type"))
                .collect(Collectors.toSet());
    }

    private double value(String meter, String... tags) {
        return registry.get(meter)
                .tags("hub", "orders", "kind", "turn")
                .tags(tags)
                .gauge()
                .value();
    }

    @Test
    void before_the_first_look_nothing_is_known() {
        assertThat(registry.getMeters())
                .hasSize(12)
                .allSatisfy(meter -> meter.measure()
                        .forEach(measured -> assertThat(measured.getValue()).isNaN()));
    }

    @Test
    void what_no_worker_takes_has_a_series_of_its_own_before_what_is_older_and_taken() {
        show(Stream.concat(
                IntStream.range(0, 50).mapToObj(i -> turn("Taken" + i, "1", 1_000 + i, true)),
                Stream.of(turn("Untaken", "1", 10, false))));

        assertThat(types()).hasSize(WaitingMeters.MOST_TYPES + 1).contains("Untaken", "Taken49", "other");
        assertThat(value("sluice.host.waiting.type", "type", "other")).isEqualTo(31);
        assertThat(value("sluice.host.waiting.type.age", "type", "other")).isEqualTo(1_030);
        assertThat(value("sluice.host.waiting")).isEqualTo(51);
        assertThat(value("sluice.host.waiting.age")).isEqualTo(1_049);
        assertThat(value("sluice.host.untaken")).isEqualTo(1);
        assertThat(value("sluice.host.untaken.age")).isEqualTo(10);
    }

    @Test
    void a_type_that_waits_no_more_has_no_series_any_more() {
        show(Stream.of(turn("Order", "1", 10, false)));
        show(Stream.of(turn("Order", "1", 20, true)));

        assertThat(registry.find("sluice.host.waiting.type")
                        .tag("type", "Order")
                        .gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.getId().getTag("taken")).isEqualTo("true"));
        show(Stream.of());
        assertThat(types()).containsExactly("other");
        assertThat(value("sluice.host.waiting.type", "type", "other")).isZero();
    }

    @Test
    void names_whose_labels_are_alike_are_counted_together() {
        show(Stream.of(turn("A\n", "1", 10, false), turn("A\t", "1", 20, false), turn("other", null, 5, true)));

        assertThat(value("sluice.host.waiting.type", "type", "A?")).isEqualTo(2);
        assertThat(value("sluice.host.waiting.type.age", "type", "A?")).isEqualTo(20);
        assertThat(value("sluice.host.waiting.type", "type", "other")).isEqualTo(1);
    }

    @Test
    void all_series_of_a_meter_have_the_same_labels() {
        show(Stream.of(turn("Order", null, 10, false), turn("", null, 20, true)));

        assertThat(registry.find("sluice.host.waiting.type").gauges())
                .extracting(gauge -> gauge.getId().getTags().stream()
                        .map(tag -> tag.getKey())
                        .toList())
                .containsOnly(List.of("hub", "kind", "taken", "type", "version"));
        assertThat(registry.getMeters()).extracting(Meter::getId).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"Order,Order", "Straße 7,Straße?7", "a\u0000b\u0085c,a?b?c", "a\u202Eb,a?b", "\uD83D\uDE00,\uD83D\uDE00"
    })
    void a_label_has_what_can_be_seen(String name, String label) {
        assertThat(WaitingMeters.label(name)).isEqualTo(label);
    }

    @Test
    void a_label_is_never_empty_nor_long() {
        assertThat(WaitingMeters.label("")).isEqualTo("none");
        assertThat(WaitingMeters.label("\uD83D\uDE00".repeat(1_000))).isEqualTo("\uD83D\uDE00".repeat(100));
        assertThat(WaitingMeters.label("\uD83D")).isEqualTo("?");
    }
}
