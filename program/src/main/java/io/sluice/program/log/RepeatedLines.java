package io.sluice.program.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Kafka's clients from repeating themselves in the log: the first line of a kind passes at once, those that
 * follow within a minute are counted, and then one line of ours says how many there were. Of a kind are lines of one
 * logger and level that say the same, and whose failure does, whatever client, node, partition or number they name. A
 * filter for appenders; thread-safe.
 */
public final class RepeatedLines extends Filter<ILoggingEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedLines.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final String KAFKA = "org.apache.kafka.";
    private static final int MOST_KINDS = 1_000;
    private static final int LONGEST_WORDS = 500;
    /** {@code [Producer clientId=…, transactionalId=…] }, which Kafka's clients put in front of the words. */
    private static final Pattern CLIENT = Pattern.compile("^(\\[[^\\]]*\\] )+");

    /** Also in the ids that members of groups get, which differ with each member. */
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+");

    private final LongSupplier nanos;
    private final Map<Kind, Repetition> kinds = new HashMap<>();
    private @Nullable ScheduledFuture<?> flushing;

    private record Kind(
            String logger,
            String level,
            String words,
            @Nullable String failure) {}

    private static final class Repetition {
        private final long sinceNanos;
        private long more;

        Repetition(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }

    private record Counted(Kind kind, long more) {}

    /** By the machine's clock; made by the logging configuration. */
    public RepeatedLines() {
        this(System::nanoTime);
    }

    RepeatedLines(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public void start() {
        super.start();
        long millis = INTERVAL.toMillis() / 4;
        flushing = getContext()
                .getScheduledExecutorService()
                .scheduleAtFixedRate(this::flush, millis, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
        if (flushing != null) {
            flushing.cancel(false);
            flushing = null;
        }
        super.stop();
    }

    @Override
    public FilterReply decide(ILoggingEvent event) {
        return !event.getLoggerName().startsWith(KAFKA) || passes(kind(event)) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private synchronized boolean passes(Kind kind) {
        var repetition = kinds.get(kind);
        if (repetition == null) {
            // So many kinds at a time are no repetition.
            if (kinds.size() < MOST_KINDS) {
                kinds.put(kind, new Repetition(nanos.getAsLong()));
            }
            return true;
        }
        repetition.more++;
        return false;
    }

    private static Kind kind(ILoggingEvent event) {
        String words = CLIENT.matcher(event.getFormattedMessage()).replaceFirst("");
        IThrowableProxy failure = event.getThrowableProxy();
        return new Kind(
                event.getLoggerName(),
                event.getLevel().toString(),
                withoutNumbers(words),
                failure == null ? null : withoutNumbers(failure.getClassName() + ": " + failure.getMessage()));
    }

    private static String withoutNumbers(String text) {
        String same = NUMBER.matcher(text).replaceAll("#");
        return same.length() <= LONGEST_WORDS ? same : same.substring(0, LONGEST_WORDS);
    }

    /** Logs for each kind of line how many were suppressed in the past minute. */
    void flush() {
        over().forEach(counted -> LOG.atWarn()
                .addKeyValue("logger", counted.kind().logger())
                .addKeyValue("level", counted.kind().level())
                .addKeyValue("words", counted.kind().words())
                .addKeyValue("count", counted.more())
                .log("suppressed repeated log lines of Kafka's client"));
    }

    /** Removes the kinds whose minute is over, and returns those with suppressed lines. */
    private synchronized List<Counted> over() {
        long now = nanos.getAsLong();
        var over = new ArrayList<Counted>();
        kinds.entrySet().removeIf(entry -> {
            var repetition = entry.getValue();
            if (now - repetition.sinceNanos < INTERVAL.toNanos()) {
                return false;
            }
            if (repetition.more > 0) {
                over.add(new Counted(entry.getKey(), repetition.more));
            }
            return true;
        });
        return over;
    }
}
