package io.sluice.provider.history;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Fields that a newer runtime wrote and this version does not know. They are written back after the known ones, in the
 * order they were read; numbers keep their digits, insignificant white space is dropped.
 *
 * @param jsonByName the JSON text of each field
 */
public record ExtraFields(@JsonAnyGetter Map<String, String> jsonByName) {
    /** No unknown fields. */
    public static final ExtraFields NONE = new ExtraFields(Map.of());

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException when a text is not one JSON value
     */
    public ExtraFields {
        jsonByName = jsonByName.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(jsonByName));
        jsonByName.forEach(ExtraFields::check);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return jsonByName.isEmpty();
    }

    private static void check(String name, String json) {
        try {
            JsonValue.parse(json, name);
        } catch (JsonFault fault) {
            throw new IllegalArgumentException("extra field " + name + " must be JSON: " + fault.expectation(), fault);
        }
    }

    /** The names only: values may be payload. */
    @Override
    public String toString() {
        return "ExtraFields" + jsonByName.keySet();
    }
}
