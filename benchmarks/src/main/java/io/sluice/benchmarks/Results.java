package io.sluice.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a load program has measured: a line of JSON for each run of a case, as soon as there is one, in a file and on
 * the console; at the end the medians of every case as ratios to one of them.
 */
final class Results {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Map<String, List<Map<String, Double>>> runs = new LinkedHashMap<>();

    private Results(Path file) {
        this.file = file;
    }

    /** Into a new file of this name below {@code target/load}. */
    static Results named(String load) {
        var file = Path.of("target", "load", load + ".jsonl");
        try {
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("no room for results in " + file, e);
        }
        return new Results(file);
    }

    /** Takes the figures of one run of a case. */
    void add(String name, Map<String, Double> figures) {
        runs.computeIfAbsent(name, unused -> new ArrayList<>()).add(figures);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("case", name);
        figures.forEach((figure, value) -> line.put(figure, Math.round(value * 1000) / 1000.0));
        try {
            String text = JSON.writeValueAsString(line);
            Files.writeString(file, text + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            System.out.println(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON of " + line, e);
        } catch (IOException e) {
            throw new UncheckedIOException("results can't be written to " + file, e);
        }
    }

    /**
     * Prints what each case gave, divided by what the baseline gave.
     *
     * @param baseline the name of a case; empty for the first one
     * @throws IllegalArgumentException when there is no such case
     */
    void printRatios(String baseline) {
        String base = baseline.isEmpty() ? runs.keySet().iterator().next() : baseline;
        if (!runs.containsKey(base)) {
            throw new IllegalArgumentException("baseline must be one of " + runs.keySet() + ", was " + base);
        }
        System.out.println("ratios to " + base + ":");
        var bases = medians(base);
        for (String name : runs.keySet()) {
            List<String> ratios = new ArrayList<>();
            medians(name).forEach((figure, value) -> {
                double of = bases.getOrDefault(figure, 0.0);
                if (of > 0) {
                    ratios.add(String.format(Locale.ROOT, "%s %.2f", figure, value / of));
                }
            });
            System.out.println("  " + name + ": " + String.join(", ", ratios));
        }
    }

    private Map<String, Double> medians(String name) {
        Map<String, List<Double>> values = new LinkedHashMap<>();
        runs.getOrDefault(name, List.of())
                .forEach(run ->
                        run.forEach((figure, value) -> values.computeIfAbsent(figure, unused -> new ArrayList<>())
                                .add(value)));
        Map<String, Double> medians = new LinkedHashMap<>();
        values.forEach((figure, all) ->
                medians.put(figure, all.stream().sorted().toList().get(all.size() / 2)));
        return medians;
    }
}
