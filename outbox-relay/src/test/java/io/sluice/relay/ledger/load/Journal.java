package io.sluice.relay.ledger.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a runtime was told is committed, event by event, one a line. A process that is killed leaves what it has
 * written, its last line perhaps cut. Thread-safe.
 */
public final class Journal implements AutoCloseable {
    private final OutputStream out;

    private Journal(OutputStream out) {
        this.out = out;
    }

    /** Goes on with a file, or begins it. */
    public static Journal append(Path file) {
        try {
            return new Journal(new FileOutputStream(file.toFile(), true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes them down before it returns. */
    public synchronized void confirmed(List<HistoryEvent> events) {
        var lines = new StringBuilder();
        events.forEach(event -> lines.append(HistoryJson.encode(event)).append('\n'));
        try {
            out.write(lines.toString().getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The JSON of all events in the journals of a folder; those that end in {@code .journal}. */
    public static List<String> readAll(Path folder) {
        var lines = new ArrayList<String>();
        try (var files = Files.newDirectoryStream(folder, "*.journal")) {
            for (var file : files) {
                var text = Files.readString(file);
                lines.addAll(Arrays.asList(
                        text.substring(0, text.lastIndexOf('\n') + 1).split("\n")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.removeIf(String::isEmpty);
        return lines;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
