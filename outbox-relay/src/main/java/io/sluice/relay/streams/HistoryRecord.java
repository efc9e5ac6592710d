package io.sluice.relay.streams;

import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.event.EventEnvelope;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What the headers and the value of a record of the history topic say.
 *
 * @param id of the event; empty when the record has none
 * @param source names account, database and container
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
record HistoryRecord(String id, String type, URI source, byte @Nullable [] value) {
    private static final URI NO_SOURCE = URI.create("urn:sluice:unknown");

    static HistoryRecord of(Headers headers, byte @Nullable [] value) {
        return new HistoryRecord(text(headers, "ce_id", ""), text(headers, "ce_type", ""), source(headers), value);
    }

    boolean isDeletion() {
        return type.equals(EventEnvelope.INSTANCE_DELETED);
    }

    /** Empty for what this version can't read. */
    Optional<HistoryEvent> event() {
        if (value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(HistoryJson.decode(new String(value, StandardCharsets.UTF_8)));
        } catch (DecodingException e) {
            return Optional.empty();
        }
    }

    /** When the event was made, in milliseconds; the record's own time when its headers do not say. */
    static long millis(Headers headers, long otherwise) {
        try {
            return OffsetDateTime.parse(text(headers, "ce_time", ""))
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            return otherwise;
        }
    }

    /**
     * At which time an event counts: when it was made, but never after the history's record of it. The clock of a
     * runtime may be ahead by any time. A topic takes no record that is far ahead of its broker, and the latest time
     * that streams have met decides which statistics are over.
     */
    static long countedMillis(Headers headers, long recordMillis) {
        return Math.max(0, Math.min(millis(headers, recordMillis), recordMillis));
    }

    /** Other writers may have written the record: a text that is no URI is no source. */
    private static URI source(Headers headers) {
        try {
            var source = URI.create(text(headers, "ce_source", ""));
            return source.toString().isEmpty() ? NO_SOURCE : source;
        } catch (IllegalArgumentException e) {
            return NO_SOURCE;
        }
    }

    private static String text(Headers headers, String name, String otherwise) {
        var text = EventEnvelope.header(headers, name);
        return text == null ? otherwise : text;
    }
}
