package io.sluice.durabletask.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import com.google.protobuf.Timestamp;
import io.sluice.provider.TraceContext;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the protocol has and its generated types lack: strings that may be absent, times with nanoseconds, GUIDs. */
public final class Wire {
    /** The id of an event that no action of an orchestration has caused, and of what an SDK need not refer to. */
    public static final int NO_ID = -1;

    /** A tag and a length, or the tags that begin and end a group. */
    private static final int MIN_BYTES_PER_LEVEL = 2;

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

    /** A random name: 32 hexadecimal digits. */
    public static String newGuid() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** An event that no action has caused, to be completed. */
    public static Protocol.HistoryEvent.Builder outsideEvent(Instant time) {
        return Protocol.HistoryEvent.newBuilder().setEventId(NO_ID).setTimestamp(timestamp(time));
    }

    /** Whether a reader that follows so many levels of nested messages, and of groups, can read this message. */
    public static boolean isNestedWithin(int levels, Message message) {
        if (message.getSerializedSize() <= levels * MIN_BYTES_PER_LEVEL) {
            return true;
        }
        CodedInputStream written = message.toByteString().newCodedInput();
        written.setRecursionLimit(levels);
        try {
            message.getParserForType().parseFrom(written);
            return true;
        } catch (InvalidProtocolBufferException e) {
            return false; // what has just been written is malformed for no other reason
        }
    }

    /** The same trace, if it is one. */
    public static Optional<TraceContext> trace(Protocol.TraceContext trace) {
        return TraceContext.parse(trace.getTraceParent(), orNull(trace.hasTraceState(), trace.getTraceState()));
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
