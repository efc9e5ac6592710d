package io.sluice.durabletask.wire;

import com.google.protobuf.StringValue;
import com.google.protobuf.Timestamp;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Strings that may be absent, and times with nanoseconds, as the protocol has them. */
public final class Wire {
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    private Wire() {}

    /** The string of a field, or null where the field is absent. */
    public static @Nullable String orNull(boolean isPresent, StringValue field) {
        return isPresent ? field.getValue() : null;
    }

    /** The string as a field that is present, be it empty. */
    public static StringValue text(String value) {
        return StringValue.of(value);
    }

    /** The same time. */
    public static Timestamp timestamp(Instant time) {
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }

    /**
     * The same time.
     *
     * @throws java.time.DateTimeException when it is beyond what {@link Instant} holds
     */
    public static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    /**
     * The first whole millisecond since the epoch that is not before this time: a timer that fires early makes an SDK
     * set it again. Never before the epoch, never after {@link WorkItem#LATEST_MILLIS}.
     */
    public static long millisNotBefore(Timestamp time) {
        if (time.getSeconds() > WorkItem.LATEST_MILLIS / MILLIS_PER_SECOND) {
            return WorkItem.LATEST_MILLIS;
        }
        if (time.getSeconds() < -1) {
            return 0;
        }
        long nanos = time.getNanos();
        long millis = time.getSeconds() * MILLIS_PER_SECOND - Math.floorDiv(-nanos, NANOS_PER_MILLI);
        return Math.min(Math.max(0, millis), WorkItem.LATEST_MILLIS);
    }
}
