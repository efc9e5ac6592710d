package io.sluice.provider.history;

import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonOutput;
import io.sluice.provider.json.JsonValue;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Fields that a newer runtime wrote and this version does not know. They are written back after the known ones, in the
 * order they were read; numbers keep their digits, insignificant white space is dropped.
 *
 * @param jsonByName the JSON text of each field
 */
public record ExtraFields(Map<String, String> jsonByName) {
    /** No unknown fields. */
    public static final ExtraFields NONE = new ExtraFields(Map.of());

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException when a text is not one JSON value
     */
    public ExtraFields {
        jsonByName = Collections.unmodifiableMap(new LinkedHashMap<>(jsonByName));
        jsonByName.forEach(ExtraFields::check);
    }

    /** Those of a reader; none is one shared value. */
    public static ExtraFields of(Map<String, String> jsonByName) {
        return jsonByName.isEmpty() ? NONE : new ExtraFields(jsonByName);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return jsonByName.isEmpty();
    }

    /** Writes them as fields of the object that is being written. */
    public void writeTo(JsonOutput out) throws IOException {
        for (Map.Entry<String, String> field : jsonByName.entrySet()) {
            out.raw(field.getKey(), field.getValue());
        }
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
