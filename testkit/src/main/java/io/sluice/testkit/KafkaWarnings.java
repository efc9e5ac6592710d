package io.sluice.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Collects the warnings of Kafka's consumers until it is closed. They are the JVM's: of tests that run alone. */
public final class KafkaWarnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("org.apache.kafka.clients.consumer");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** Begins to collect. */
    public KafkaWarnings() {
        logger.setLevel(Level.WARN);
        logger.addAppender(this);
        start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    /** What they said. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null);
        stop();
    }
}
