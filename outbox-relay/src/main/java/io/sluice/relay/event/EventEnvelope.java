package io.sluice.relay.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Attributes that the CloudEvents of the history topic and of the lifecycle topic share. */
public final class EventEnvelope {
    /** Type of the last record of an instance that was deleted. */
    public static final String INSTANCE_DELETED = "io.sluice.instance.deleted";

    /** CloudEvents' extension that repeats the record's key. */
    public static final String PARTITION_KEY = "partitionkey";

    private static final long EARLIEST_MILLIS =
            Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();
    private static final long LATEST_MILLIS =
            Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private EventEnvelope() {}

    /**
     * The time for a header. Other writers may store times beyond the range of a header; they are replaced by its
     * earliest or latest time.
     *
     * @param millis since 1970
     */
    public static OffsetDateTime time(long millis) {
        long held = Math.max(EARLIEST_MILLIS, Math.min(millis, LATEST_MILLIS));
        return Instant.ofEpochMilli(held).atOffset(ZoneOffset.UTC);
    }

    /** The text of a record's header; null if it has none of that name. */
    public static @Nullable String header(Headers headers, String name) {
        var header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
