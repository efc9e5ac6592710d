package io.sluice.program.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;

/**
 * Keeps warnings out of the log that tell of nothing to do, where the logger has others that do. Kafka Streams asks for
 * its internal topics before it creates them, at a first start: that answer is one the client asks again after. A fetch
 * of Kafka's may end after its partition went to another consumer in a rebalance: what it brought is dropped. Streams
 * that find state without a position, as after a takeover, restore it from Kafka; they say so by a warning, and by an
 * error before. A filter for appenders; thread-safe.
 */
public final class SettledLines extends Filter<ILoggingEvent> {
    private static final Map<String, String> SETTLED = Map.of(
            "org.apache.kafka.clients.NetworkClient",
            "The metadata response from the cluster reported a recoverable issue",
            "org.apache.kafka.clients.consumer.internals.OffsetFetcherUtils",
            "as it is no longer assigned");

    private static final String STREAMS_TASKS = "org.apache.kafka.streams.processor.internals.TaskManager";
    private static final String FAILED_TASKS = "Get exceptions for the following tasks: ";
    /** Between a task and its exception. */
    private static final String IS = "=";

    private static final String RESTORED = IS + "org.apache.kafka.streams.errors.TaskCorruptedException";

    @Override
    public FilterReply decide(ILoggingEvent event) {
        String settled = SETTLED.get(event.getLoggerName());
        boolean isSettled = settled != null && event.getFormattedMessage().contains(settled);
        return isSettled || isRestorationAlone(event) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    private static boolean isRestorationAlone(ILoggingEvent event) {
        if (!event.getLoggerName().equals(STREAMS_TASKS)) {
            return false;
        }
        String text = event.getFormattedMessage();
        return text.contains(FAILED_TASKS)
                && text.contains(RESTORED)
                && !text.replace(RESTORED, "").contains(IS);
    }
}
