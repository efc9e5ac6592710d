package io.sluice.relay.ledger.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All that was measured, by process and measure. Not thread-safe. */
public final class Samples {
    /**
     * Of heap that the emulator may take for a document it keeps. Receipts and the ends of instances stay for seven
     * days by design, whatever is deleted: a store's own size is no leak. A receipt takes 1 KB as it is written and 3
     * once a query has read it, as its parsed form is kept then.
     */
    static final int KILOBYTES_PER_DOCUMENT = 3;

    private final Map<String, Map<Measure, List<Flatness.Point>>> series = new LinkedHashMap<>();

    /** A process's measure, and whether it is flat. */
    public record Verdict(String process, Measure measure, Flatness flatness) {}

    void add(String process, Measure measure, double seconds, double value) {
        series.computeIfAbsent(process, name -> new EnumMap<>(Measure.class))
                .computeIfAbsent(measure, kind -> new ArrayList<>())
                .add(new Flatness.Point(seconds, value));
    }

    int count() {
        return series.values().stream()
                .flatMap(measures -> measures.values().stream())
                .mapToInt(List::size)
                .sum();
    }

    /** Those with enough points to be judged. */
    public List<Verdict> verdicts() {
        var verdicts = new ArrayList<Verdict>();
        series.forEach((process, measures) -> measures.forEach((measure, points) -> {
            if (points.size() >= Flatness.FEWEST) {
                verdicts.add(new Verdict(process, measure, Flatness.of(points, measure.constant())));
            }
        }));
        return verdicts;
    }

    /** One line a value: process, measure, seconds since the load began, value. */
    public void writeCsv(Path file) {
        var lines = new ArrayList<>(List.of("process,measure,seconds,value"));
        series.forEach((process, measures) -> measures.forEach((measure, points) -> points.forEach(point -> lines.add(
                String.format(Locale.ROOT, "%s,%s,%.1f,%.2f", process, measure, point.seconds(), point.value())))));
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
