package io.sluice.relay.log;

/** The keys of the relay's log entries and status figures, in one place so that they can be searched for. */
public final class LogKeys {
    public static final String ATTEMPTS = "attempts";
    public static final String COMMAND = "command";
    public static final String COUNT = "count";
    public static final String INSTANCE = "instance";
    public static final String INTENT = "intent";
    public static final String KEY = "key";
    public static final String LOOP = "loop";
    public static final String OFFSET = "offset";
    public static final String PARTITION = "partition";
    public static final String RANGE = "range";
    public static final String REASON = "reason";
    public static final String RETRY_AFTER_MILLIS = "retryAfterMillis";
    public static final String SOURCE = "source";
    public static final String STATUS = "status";
    public static final String TARGET = "target";
    public static final String TOPIC = "topic";

    private LogKeys() {}
}
