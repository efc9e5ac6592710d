package io.sluice.provider.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a class logs. */
final class Lines implements AutoCloseable {
    private final Logger logger;
    private final Level level;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private Lines(Logger logger) {
        this.logger = logger;
        this.level = logger.getLevel();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    static Lines of(Class<?> type) {
        return new Lines((Logger) LoggerFactory.getLogger(type));
    }

    long count(String part) {
        return lines.list.stream()
                .filter(line -> line.getMessage().contains(part))
                .count();
    }

    /** Of those lines, the ones that name a topic. */
    long count(String part, String topic) {
        return lines.list.stream()
                .filter(line -> line.getMessage().contains(part))
                .filter(line -> line.getKeyValuePairs().toString().contains(topic))
                .count();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(level);
    }
}
