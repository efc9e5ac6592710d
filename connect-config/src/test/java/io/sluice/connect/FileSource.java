package io.sluice.connect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.jspecify.annotations.Nullable;

/** Brings the lines of the file of the setting {@code file} to the topic of the setting {@code topic}, as texts. */
public final class FileSource extends SourceConnector {
    private static final String FILE = "file";
    private static final String TOPIC = "topic";
    private static final String LINES = "lines";

    private Map<String, String> settings = Map.of();

    @Override
    public String version() {
        return FileSink.VERSION;
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef()
                .define(FILE, ConfigDef.Type.STRING, null, ConfigDef.Importance.HIGH, "where from")
                .define(TOPIC, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "where to");
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> given) {
        return ExactlyOnceSupport.SUPPORTED;
    }

    @Override
    public void start(Map<String, String> given) {
        settings = Map.copyOf(given);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return Reader.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int most) {
        return List.of(settings);
    }

    @Override
    public void stop() {}

    /** The one task. */
    public static final class Reader extends SourceTask {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private Map<String, String> settings = Map.of();
        private long read;

        @Override
        public String version() {
            return FileSink.VERSION;
        }

        @Override
        public void start(Map<String, String> given) {
            settings = Map.copyOf(given);
            Map<String, Object> offset = context.offsetStorageReader().offset(partition());
            read = offset != null && offset.get(LINES) instanceof Number lines ? lines.longValue() : 0;
        }

        @Override
        public @Nullable List<SourceRecord> poll() throws InterruptedException {
            List<String> lines = lines();
            if (lines.size() == read) {
                stopped.await(1, TimeUnit.SECONDS);
                return null;
            }
            int first = (int) read;
            read = lines.size();
            return IntStream.range(first, lines.size())
                    .mapToObj(i -> new SourceRecord(
                            partition(),
                            Map.of(LINES, (long) i + 1),
                            settings.get(TOPIC),
                            Schema.STRING_SCHEMA,
                            lines.get(i)))
                    .toList();
        }

        private Map<String, String> partition() {
            return Map.of(FILE, String.valueOf(settings.get(FILE)));
        }

        private List<String> lines() {
            try {
                return Files.readAllLines(Path.of(settings.get(FILE)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void stop() {
            stopped.countDown();
        }
    }
}
