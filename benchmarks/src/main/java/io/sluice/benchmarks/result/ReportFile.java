package io.sluice.benchmarks.result;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A report as JSON, named for its benchmark. */
public final class ReportFile {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final ObjectWriter PRETTY = JSON.writer(new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n")));

    private ReportFile() {}

    /**
     * Writes a report into a folder, in place of the benchmark's last one.
     *
     * @throws IOException when it can't be written
     */
    public static void write(Path folder, Report report) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(file(folder, report.name()), PRETTY.writeValueAsString(report) + "\n");
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
