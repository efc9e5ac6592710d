package io.sluice.durabletask.waiting;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.sluice.durabletask.worker.WorkKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What waits in one task hub, as Micrometer gauges. The types that are named are few, so that the number of time series
 * has a bound; the others are counted together. Thread-safe.
 */
final class WaitingMeters {
    /** Types of each kind that have series of their own: what no worker takes before the others, the oldest first. */
    static final int MOST_TYPES = 20;
    /** Of a name, or of a version. */
    static final int LONGEST_LABEL = 100;
    /** The type of all that is not named. */
    static final String OTHER = "other";

    private static final String HUB = "hub";
    private static final String KIND = "kind";
    private static final String NONE = "none";

    private final Map<WorkKind, MultiGauge> counts = new EnumMap<>(WorkKind.class);
    private final Map<WorkKind, MultiGauge> ages = new EnumMap<>(WorkKind.class);

    private final MeterRegistry registry;
    private final List<Gauge> gauges = new ArrayList<>();

    /**
     * Of one hub.
     *
     * @param view what waits now; null where that is not known
     */
    WaitingMeters(MeterRegistry registry, String hub, Supplier<@Nullable WaitingView> view) {
        this.registry = registry;
        for (WorkKind kind : WorkKind.values()) {
            Tags tags = Tags.of(HUB, hub, KIND, kind.name().toLowerCase(Locale.ROOT));
            gauge(registry, "sluice.host.waiting", "Items that wait for a worker", tags, view, now -> now.count(kind));
            gauge(
                    registry,
                    "sluice.host.waiting.age",
                    "For how long the oldest of them has waited",
                    tags,
                    view,
                    now -> now.ageSeconds(kind));
            gauge(
                    registry,
                    "sluice.host.untaken",
                    "Items that wait and that no connected worker takes",
                    tags,
                    view,
                    now -> now.untaken(kind).count());
            gauge(
                    registry,
                    "sluice.host.untaken.age",
                    "For how long the oldest of them has waited",
                    tags,
                    view,
                    now -> now.untaken(kind).ageSeconds());
            counts.put(
                    kind,
                    MultiGauge.builder("sluice.host.waiting.type")
                            .description("Items that wait for a worker, by type")
                            .tags(tags)
                            .register(registry));
            ages.put(
                    kind,
                    MultiGauge.builder("sluice.host.waiting.type.age")
                            .description("For how long the oldest of them has waited")
                            .baseUnit("seconds")
                            .tags(tags)
                            .register(registry));
        }
        show(null);
    }

    private void gauge(
            MeterRegistry registry,
            String name,
            String description,
            Tags tags,
            Supplier<@Nullable WaitingView> view,
            ToDoubleFunction<WaitingView> value) {
        Gauge gauge = Gauge.builder(name, () -> {
                    @Nullable WaitingView now = view.get();
                    return now == null ? Double.NaN : value.applyAsDouble(now);
                })
                .description(description)
                .baseUnit(name.endsWith(".age") ? "seconds" : null)
                .tags(tags)
                .strongReference(true)
                .register(registry);
        gauges.add(gauge);
    }

    /** Leaves the registry: the meters of a host that is opened later in this process would not come into it. */
    void close() {
        gauges.forEach(registry::remove);
        counts.values().forEach(types -> types.register(List.of(), true));
        ages.values().forEach(types -> types.register(List.of(), true));
    }

    /** Shows the types of this view; null where what waits is not known. */
    void show(@Nullable WaitingView view) {
        for (WorkKind kind : WorkKind.values()) {
            List<Row> rows = view == null ? List.of(Row.unknown()) : rows(view, kind);
            register(counts, kind, rows, Row::count);
            register(ages, kind, rows, Row::ageSeconds);
        }
    }

    private static void register(
            Map<WorkKind, MultiGauge> gauges, WorkKind kind, List<Row> rows, Function<Row, Number> value) {
        Objects.requireNonNull(gauges.get(kind))
                .register(
                        rows.stream()
                                .map(row -> MultiGauge.Row.of(row.tags(), value.apply(row)))
                                .collect(Collectors.toList()),
                        true);
    }

    /** One series. */
    private record Row(String type, String version, boolean isTaken, double count, double ageSeconds) {
        static Row unknown() {
            return new Row(OTHER, NONE, true, Double.NaN, Double.NaN);
        }

        static Row of(WaitingView.Waiting waiting) {
            boolean isRest = waiting.name().isEmpty();
            return new Row(
                    isRest ? OTHER : label(waiting.name()),
                    waiting.version() == null ? NONE : label(waiting.version()),
                    waiting.isTaken(),
                    waiting.count(),
                    waiting.ageSeconds());
        }

        Tags tags() {
            return Tags.of("type", type, "version", version, "taken", Boolean.toString(isTaken));
        }

        /** Of two types whose labels are alike. */
        Row and(Row same) {
            return new Row(type, version, isTaken, count + same.count, Math.max(ageSeconds, same.ageSeconds));
        }

        private Row rest() {
            return new Row(OTHER, NONE, true, count, ageSeconds);
        }
    }

    private static List<Row> rows(WaitingView view, WorkKind kind) {
        List<Row> all = view.of(kind)
                .filter(waiting -> !waiting.name().isEmpty())
                .sorted(Comparator.comparing(WaitingView.Waiting::isTaken)
                        .thenComparing(Comparator.comparingDouble(WaitingView.Waiting::ageSeconds)
                                .reversed()))
                .map(Row::of)
                .toList();
        int named = Math.min(MOST_TYPES, all.size());
        Stream<Row> rest = Stream.concat(
                all.subList(named, all.size()).stream().map(Row::rest),
                view.of(kind).filter(waiting -> waiting.name().isEmpty()).map(Row::of));
        Row other = rest.reduce(new Row(OTHER, NONE, true, 0, 0), Row::and);
        return List.copyOf(Stream.concat(all.subList(0, named).stream(), Stream.of(other))
                .collect(Collectors.toMap(Row::tags, Function.identity(), Row::and))
                .values());
    }

    /** A name in a label: blanks, what may break a line, and what is not to be seen are replaced. */
    static String label(String name) {
        if (name.isEmpty()) {
            return NONE;
        }
        StringBuilder label = new StringBuilder();
        name.codePoints().limit(LONGEST_LABEL).map(c -> isShown(c) ? c : '?').forEach(label::appendCodePoint);
        return label.toString();
    }

    private static boolean isShown(int character) {
        return switch (Character.getType(character)) {
            case Character.SPACE_SEPARATOR,
                    Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
