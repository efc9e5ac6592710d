package io.sluice.connect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** Appends the value of each record, as Java prints it, to the file of the setting {@code file}. */
public final class FileSink extends SinkConnector {
    static final String FILE = "file";
    static final String VERSION = "1";

    private Map<String, String> settings = Map.of();

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef().define(FILE, ConfigDef.Type.STRING, null, ConfigDef.Importance.HIGH, "where to");
    }

    @Override
    public void start(Map<String, String> given) {
        settings = Map.copyOf(given);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return Appender.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int most) {
        return Collections.nCopies(1, settings);
    }

    @Override
    public void stop() {}

    /** The one task. */
    public static final class Appender extends SinkTask {
        private Path file = Path.of("");

        @Override
        public String version() {
            return VERSION;
        }

        @Override
        public void start(Map<String, String> settings) {
            file = Path.of(settings.get(FILE));
            append(List.of());
        }

        @Override
        public void put(Collection<SinkRecord> records) {
            append(records.stream()
                    .map(record -> String.valueOf(record.value()))
                    .toList());
        }

        private void append(List<String> lines) {
            try {
                Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void stop() {}
    }
}
