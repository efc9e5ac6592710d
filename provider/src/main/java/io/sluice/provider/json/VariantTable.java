package io.sluice.provider.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A choice in JSON as Rust writes an enum: an object whose one key is the simple name of a record, or the name of a
 * constant alone. Records whose interface has a {@link JsonTypeInfo} stand among other fields, one of which has the
 * name. Immutable.
 *
 * @param <T> the sealed interface of the records, or an enum
 */
public final class VariantTable<T> implements JsonType, FieldGroup {
    private final String tag;
    private final Map<String, RecordFields<? extends T>> records = new LinkedHashMap<>();
    private final Map<String, T> constants = new LinkedHashMap<>();

    /**
     * The variants of a choice.
     *
     * @throws IllegalArgumentException when it is neither a sealed interface of records and enums nor an enum
     */
    public VariantTable(Class<T> choice) {
        JsonTypeInfo info = choice.getAnnotation(JsonTypeInfo.class);
        JsonMapper mapper = new JsonMapper();
        tag = info == null ? "" : info.property();
        for (Class<?> variant : choice.isEnum() ? new Class<?>[] {choice} : choice.getPermittedSubclasses()) {
            Class<? extends T> type = variant.asSubclass(choice);
            if (type.isRecord()) {
                records.put(type.getSimpleName(), new RecordFields<>(type));
            } else {
                for (T constant : type.getEnumConstants()) {
                    constants.put(mapper.convertValue(constant, String.class), constant);
                }
            }
        }
    }

    /** The names it knows. */
    public Set<String> names() {
        return Set.copyOf(records.keySet());
    }

    @Override
    public T read(JsonValue value) {
        if (records.isEmpty() || (value.isString() && !constants.isEmpty())) {
            T constant = constants.get(value.asString());
            if (constant == null) {
                throw value.fault("expected one of " + constants.keySet());
            }
            return constant;
        }
        Map.Entry<String, JsonValue> tagged = value.onlyField();
        return known(tagged.getKey(), value).read(tagged.getValue());
    }

    @Override
    public void write(JsonOutput out, Object value) throws IOException {
        for (Map.Entry<String, T> constant : constants.entrySet()) {
            if (constant.getValue() == value) {
                out.string(constant.getKey());
                return;
            }
        }
        String name = value.getClass().getSimpleName();
        out.object(tagged -> fields(name).write(tagged.field(name), value));
    }

    @Override
    public T readFields(JsonFields from) {
        JsonValue name = from.value(tag);
        return known(name.asString(), name).readFields(from);
    }

    @Override
    public void writeFields(JsonOutput out, Object value) throws IOException {
        String name = value.getClass().getSimpleName();
        out.field(tag).string(name);
        fields(name).writeFields(out, value);
    }

    private RecordFields<? extends T> fields(String name) {
        return Objects.requireNonNull(records.get(name), name);
    }

    private RecordFields<? extends T> known(String name, JsonValue value) {
        RecordFields<? extends T> variant = records.get(name);
        if (variant == null) {
            String expected = tag.isEmpty() ? "one of " + records.keySet() : "a known event " + tag;
            throw value.fault("expected " + expected + ", found " + JsonFault.printable(name));
        }
        return variant;
    }
}
