package io.sluice.provider.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fields that a newer runtime wrote and this version does not know. They are written back after the known ones, in the order they were read;
 * numbers keep their digits, insignificant white space is dropped.
 */
public final class ExtraFields {
    /** No unknown fields. */
    public static final ExtraFields NONE = new ExtraFields(Map.of());

    private final Map<String, String> jsonByName;

    private ExtraFields(Map<String, String> jsonByName) {
        this.jsonByName = Collections.unmodifiableMap(jsonByName);
    }

    static ExtraFields of(Map<String, JsonValue> values) {
        if (values.isEmpty()) {
            return NONE;
        }
        Map<String, String> jsonByName = new LinkedHashMap<>();
        values.forEach((name, value) -> jsonByName.put(name, JsonOutput.text(value)));
        return new ExtraFields(jsonByName);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return jsonByName.isEmpty();
    }

    /** Their names, in the order they were read. */
    public Set<String> names() {
        return jsonByName.keySet();
    }

    /** The JSON text of one; null when there is no such field. */
    public @Nullable String json(String name) {
        return jsonByName.get(name);
    }

    Map<String, String> jsonByName() {
        return jsonByName;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExtraFields that && jsonByName.equals(that.jsonByName);
    }

    @Override
    public int hashCode() {
        return jsonByName.hashCode();
    }

    /** The names only: values may be payload. */
    @Override
    public String toString() {
        return "ExtraFields" + jsonByName.keySet();
    }
}
