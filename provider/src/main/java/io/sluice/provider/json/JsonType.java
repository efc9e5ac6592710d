package io.sluice.provider.json;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Function;

/** How the values of one Java type are read from JSON and written. */
interface JsonType {
    /** A string, a boolean, or an unsigned integer in the bits of a long. */
    record Scalar(Function<JsonValue, Object> reader, Writer writer) implements JsonType {
        static final JsonType STRING = new Scalar(JsonValue::asString, (out, value) -> out.string((String) value));
        static final JsonType U64 = new Scalar(JsonValue::asU64, (out, value) -> out.u64((Long) value));
        static final JsonType U32 = new Scalar(JsonValue::asU32, (out, value) -> out.u64((Long) value));
        static final JsonType BOOL = new Scalar(JsonValue::asBool, (out, value) -> out.bool((Boolean) value));

        @Override
        public Object read(JsonValue value) {
            return reader.apply(value);
        }

        @Override
        public void write(JsonOutput out, Object value) throws IOException {
            writer.write(out, value);
        }
    }

    /** Writes a value. */
    @FunctionalInterface
    interface Writer {
        void write(JsonOutput out, Object value) throws IOException;
    }

    /** An array of elements of one type. */
    record ArrayOf(JsonType element) implements JsonType {
        @Override
        public Object read(JsonValue value) {
            return value.asList().stream().map(element::read).toList();
        }

        @Override
        public void write(JsonOutput out, Object value) throws IOException {
            out.array(array -> {
                for (Object one : (List<?>) value) {
                    element.write(array, one);
                }
            });
        }
    }

    /** The one of a component of a record. */
    static JsonType of(Type type) {
        if (type == String.class) {
            return Scalar.STRING;
        }
        if (type == long.class || type == Long.class) {
            return Scalar.U64;
        }
        if (type == boolean.class) {
            return Scalar.BOOL;
        }
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return new ArrayOf(of(list.getActualTypeArguments()[0]));
        }
        if (type instanceof Class<?> record && record.isRecord()) {
            return new RecordFields<>(record);
        }
        if (type instanceof Class<?> choice && (choice.isSealed() || choice.isEnum())) {
            return new VariantTable<>(choice);
        }
        throw new IllegalArgumentException("a record in JSON holds texts, numbers, records, lists, had " + type);
    }

    /**
     * The JSON text of a value.
     *
     * @throws IllegalArgumentException when a field stands twice, or a string holds half a surrogate pair
     */
    default String text(Object value) {
        return JsonOutput.text(out -> write(out, value));
    }

    /** Reads a value of this type. */
    Object read(JsonValue value);

    /** Writes a value of this type. */
    void write(JsonOutput out, Object value) throws IOException;
}
