package io.sluice.provider.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record in JSON: a field for each component, in their order, with names in snake case; null is left out. Annotations
 * of Jackson say what differs, and of those {@code JsonInclude} means that null is written. A body may be an object, or
 * an array of the values in this order, for Rust reads both; a record whose format has the shape {@code ARRAY} is an
 * array only. Immutable.
 *
 * @param <R> the record
 */
public final class RecordFields<R> implements JsonType, FieldGroup {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();

    private final Class<R> type;
    private final MethodHandle constructor;
    private final MethodHandle[] accessors;
    private final List<RecordField> fields;
    private final List<RecordField.Named> named;
    private final List<String> order;
    private final boolean array;

    /**
     * The fields of a record.
     *
     * @throws IllegalArgumentException when a component has a type that has no form in JSON
     */
    public RecordFields(Class<R> type) {
        List<RecordComponent> components = List.of(type.getRecordComponents());
        this.type = type;
        accessors = components.stream().map(RecordFields::accessor).toArray(MethodHandle[]::new);
        constructor = constructor(type, components);
        fields = components.stream().map(RecordField::of).toList();
        named = fields.stream()
                .filter(RecordField.Named.class::isInstance)
                .map(RecordField.Named.class::cast)
                .toList();
        order = named.stream().map(RecordField.Named::name).toList();
        JsonFormat format = type.getAnnotation(JsonFormat.class);
        array = format != null && format.shape() == JsonFormat.Shape.ARRAY;
    }

    @Override
    public R read(JsonValue value) {
        if (array && value.asList().size() != named.size()) {
            throw value.fault("expected " + named.size() + " elements, found "
                    + value.asList().size());
        }
        return readFields(JsonFields.of(value, order));
    }

    @Override
    public R readFields(JsonFields from) {
        @Nullable Object[] values = new Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).read(from);
        }
        try {
            return type.cast((Object) constructor.invokeExact(values));
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    @Override
    public void write(JsonOutput out, Object value) throws IOException {
        if (array) {
            out.array(body -> {
                for (int i = 0; i < named.size(); i++) {
                    named.get(i).type().write(body, Objects.requireNonNull(valueOf(i, value)));
                }
            });
        } else {
            out.object(body -> writeFields(body, value));
        }
    }

    @Override
    public void writeFields(JsonOutput out, Object value) throws IOException {
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).write(out, valueOf(i, value));
        }
    }

    private @Nullable Object valueOf(int component, Object value) {
        try {
            return (Object) accessors[component].invokeExact(value);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private static MethodHandle accessor(RecordComponent component) {
        try {
            return LOOKUP.unreflect(component.getAccessor()).asType(MethodType.methodType(Object.class, Object.class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException("a record in JSON is public", e);
        }
    }

    private static MethodHandle constructor(Class<?> type, List<RecordComponent> components) {
        Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return LOOKUP.findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("a record in JSON is public", e);
        }
    }

    private static RuntimeException failure(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException refusal ? refusal : new IllegalStateException(thrown);
    }
}
