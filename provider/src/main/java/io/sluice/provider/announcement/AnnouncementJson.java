package io.sluice.provider.announcement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes announcements and pulses. They hold no payload, so Jackson's own binding does. */
final class AnnouncementJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private AnnouncementJson() {}

    static byte[] write(Record value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("an announcement with text that UTF-8 can't say", e);
        }
    }

    static <T extends Record> T read(byte @Nullable [] json, Class<T> type) {
        if (json == null || json.length == 0) {
            throw new MalformedAnnouncementException("expected an announcement, found nothing");
        }
        if (json.length > Limits.MOST_BYTES) {
            throw new MalformedAnnouncementException(
                    "an announcement of " + json.length + " bytes, the limit is " + Limits.MOST_BYTES);
        }
        try {
            T read = MAPPER.readValue(json, type);
            if (read == null) {
                throw new MalformedAnnouncementException("expected an announcement, found null");
            }
            return read;
        } catch (JsonMappingException e) {
            throw new MalformedAnnouncementException(describe(e));
        } catch (JsonProcessingException e) {
            throw new MalformedAnnouncementException("not well-formed JSON");
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory cannot fail", e);
        }
    }

    /** Jackson's own message quotes the value. */
    private static String describe(JsonMappingException e) {
        String path = e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
                .collect(Collectors.joining("."));
        String why = e.getCause() instanceof IllegalArgumentException limit
                ? String.valueOf(limit.getMessage())
                : "not of the type that is expected";
        return (path.isEmpty() ? "" : path + ": ") + why;
    }
}
