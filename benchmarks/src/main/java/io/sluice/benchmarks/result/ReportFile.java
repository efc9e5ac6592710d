package io.sluice.benchmarks.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.StringJoiner;

/** A report as JSON, named for its benchmark. */
public final class ReportFile {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private ReportFile() {}

    /**
     * Writes a report into a folder, in place of the benchmark's last one.
     *
     * @throws IOException when it can't be written
     */
    public static void write(Path folder, Report report) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(file(folder, report.name()), text(report));
    }

    /** A line for each figure, so that a difference shows which have changed. */
    private static String text(Report report) throws JsonProcessingException {
        var figures = new StringJoiner(",\n    ", "[\n    ", "\n  ]");
        for (var figure : report.figures()) {
            figures.add(JSON.writeValueAsString(figure));
        }
        return "{\n  \"name\": %s,\n  \"conditions\": %s,\n  \"figures\": %s\n}\n"
                .formatted(
                        JSON.writeValueAsString(report.name()), JSON.writeValueAsString(report.conditions()), figures);
    }

    /**
     * The report of a benchmark, empty when there is none yet.
     *
     * @throws IOException when it can't be read
     */
    public static Optional<Report> read(Path folder, String name) throws IOException {
        var file = file(folder, name);
        return Files.exists(file) ? Optional.of(JSON.readValue(file.toFile(), Report.class)) : Optional.empty();
    }

    private static Path file(Path folder, String name) {
        return folder.resolve(name + ".json");
    }
}
