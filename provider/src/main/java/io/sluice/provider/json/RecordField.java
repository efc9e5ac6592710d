package io.sluice.provider.json;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one component of a record is in JSON. */
sealed interface RecordField {
    /** Takes the component's value out of the fields of an object. */
    @Nullable
    Object read(JsonFields from);

    /** Writes the component's value into the object that is open. */
    void write(JsonOutput out, @Nullable Object value) throws IOException;

    /** The field of a component, by its type and annotations. */
    static RecordField of(RecordComponent component) {
        Method accessor = component.getAccessor();
        if (accessor.isAnnotationPresent(JsonAnyGetter.class)) {
            return new Unknown();
        }
        if (FieldGroup.isGroup(component.getType())) {
            return new Unwrapped(FieldGroup.of(component.getType()));
        }
        JsonProperty property = accessor.getAnnotation(JsonProperty.class);
        return new Named(
                property == null || property.value().isEmpty()
                        ? PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName())
                        : property.value(),
                component.isAnnotationPresent(Unsigned32.class)
                        ? JsonType.Scalar.U32
                        : JsonType.of(component.getGenericType()),
                component.getAnnotatedType().isAnnotationPresent(Nullable.class),
                !accessor.isAnnotationPresent(JsonInclude.class),
                property == null || property.defaultValue().isEmpty()
                        ? null
                        : JsonValue.parse(property.defaultValue(), "default value"));
    }

    /**
     * A field of its own.
     *
     * @param nullable whether it may be null, or absent, which means the same
     * @param leftOut whether null is not written
     * @param absent the value that stands for an absent field; null when there is none
     */
    record Named(
            String name,
            JsonType type,
            boolean nullable,
            boolean leftOut,
            @Nullable JsonValue absent) implements RecordField {
        @Override
        public @Nullable Object read(JsonFields from) {
            if (nullable) {
                JsonValue value = from.nullable(name);
                return value == null ? null : type.read(value);
            }
            return type.read(absent == null || from.has(name) ? from.value(name) : absent);
        }

        @Override
        public void write(JsonOutput out, @Nullable Object value) throws IOException {
            if (value != null) {
                type.write(out.field(name), value);
            } else if (!leftOut) {
                out.field(name).none();
            }
        }
    }

    /** A component whose fields are written into the object of its record. */
    record Unwrapped(FieldGroup type) implements RecordField {
        @Override
        public Object read(JsonFields from) {
            return type.readFields(from);
        }

        @Override
        public void write(JsonOutput out, @Nullable Object value) throws IOException {
            if (value != null) {
                type.writeFields(out, value);
            }
        }
    }

    /** The fields that nobody else takes: their JSON texts by name. */
    record Unknown() implements RecordField {
        @Override
        public Object read(JsonFields from) {
            return from.rest();
        }

        @Override
        public void write(JsonOutput out, @Nullable Object value) throws IOException {
            if (value instanceof Map<?, ?> texts) {
                for (Map.Entry<?, ?> text : texts.entrySet()) {
                    out.raw((String) text.getKey(), (String) text.getValue());
                }
            }
        }
    }
}
