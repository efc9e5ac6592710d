package io.sluice.examples.measure;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.emulator.RequestLog;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the outbox latency from the emulator's request log: from the arrival of the ack's batch, which creates the
 * intent, to the arrival of the batch that creates the target document. Both are read from the same clock.
 */
public final class RequestLogTimes {
    private static final int OK = 200;
    private static final Pattern INTENT = Pattern.compile("create:intent:([^,]+)");
    private static final Pattern TARGET = Pattern.compile("create:outbox:([^,]+)");

    private final RequestLog log;
    private final OutboxLatency latency;

    /** Reads {@code log} and reports to {@code latency}. */
    public RequestLogTimes(RequestLog log, OutboxLatency latency) {
        this.log = log;
        this.latency = latency;
    }

    /** Takes in what the log holds by now. */
    public void update() {
        log.matching(request -> request.operation() == RequestKind.BATCH && request.status() == OK)
                .forEach(this::take);
    }

    private void take(LoggedRequest batch) {
        each(INTENT, batch.body(), key -> latency.committed(key, batch.at()));
        each(TARGET, batch.body(), key -> latency.delivered(key, batch.at()));
    }

    private static void each(Pattern pattern, String body, Consumer<String> keys) {
        Matcher matcher = pattern.matcher(body);
        while (matcher.find()) {
            keys.accept(matcher.group(1));
        }
    }
}
