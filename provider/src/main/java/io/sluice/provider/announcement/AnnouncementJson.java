package io.sluice.provider.announcement;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Optional;
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

    /** Skips what it does not read, however deep or long that is: the caller has counted the bytes. */
    private static final JsonFactory SKIPPING = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Limits.MOST_BYTES)
                    .maxNumberLength(Limits.MOST_BYTES)
                    .maxNameLength(Limits.MOST_BYTES)
                    .build())
            .build();

    private static final int MOST_VERSION_DIGITS = 18;

    private AnnouncementJson() {}

    /**
     * What every version has.
     *
     * @param version 0 where it is no whole number
     * @param instanceId empty where it is no text
     */
    record Head(long version, String instanceId) {}

    /** The head of an object, whatever else that has; nothing where the bytes are no object. */
    static Optional<Head> head(byte[] json) {
        try (JsonParser parser = SKIPPING.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            long version = 0;
            String instanceId = "";
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("version")) {
                    boolean isNumber =
                            value == JsonToken.VALUE_NUMBER_INT && parser.getTextLength() <= MOST_VERSION_DIGITS;
                    version = isNumber ? parser.getLongValue() : 0;
                } else if (field.equals("instanceId")) {
                    instanceId = value == JsonToken.VALUE_STRING ? parser.getText() : "";
                }
                parser.skipChildren();
            }
            return parser.nextToken() == null ? Optional.of(new Head(version, instanceId)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

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
        } catch (IOException e) {
            // Of bytes in no encoding that JSON may have, it is another one than a fault of the syntax.
            throw new MalformedAnnouncementException("not well-formed JSON");
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
