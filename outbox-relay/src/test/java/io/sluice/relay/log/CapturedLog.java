package io.sluice.relay.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a class logs at INFO and above while this is open. */
public final class CapturedLog implements AutoCloseable {
    private final Logger logger;
    private final @Nullable Level level;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private CapturedLog(Logger logger) {
        this.logger = logger;
        this.level = logger.getLevel();
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
    }

    public static CapturedLog of(Class<?> type) {
        return new CapturedLog((Logger) LoggerFactory.getLogger(type));
    }

    /** The messages, without their keys and values. */
    public List<String> lines() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(level);
    }
}
