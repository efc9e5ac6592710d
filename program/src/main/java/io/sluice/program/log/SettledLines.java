package io.sluice.program.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;

/**
 * Keeps warnings out of the log that tell of nothing to do, where the logger has others that do. Kafka Streams asks for
 * its internal topics before it creates them, at a first start: that answer is one the client asks again after. A fetch
 * of Kafka's may end after its partition went to another consumer in a rebalance: what it brought is dropped. A filter
 * for appenders; thread-safe.
 */
public final class SettledLines extends Filter<ILoggingEvent> {
    private static final Map<String, String> SETTLED = Map.of(
            "org.apache.kafka.clients.NetworkClient",
            "The metadata response from the cluster reported a recoverable issue",
            "org.apache.kafka.clients.consumer.internals.OffsetFetcherUtils",
            "as it is no longer assigned");

    @Override
    public FilterReply decide(ILoggingEvent event) {
        String settled = SETTLED.get(event.getLoggerName());
        return settled != null && event.getFormattedMessage().contains(settled)
                ? FilterReply.DENY
                : FilterReply.NEUTRAL;
    }
}
