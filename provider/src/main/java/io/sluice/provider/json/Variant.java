package io.sluice.provider.json;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * How one record of a sealed type is read and written.
 *
 * @param name the text that names it
 * @param type its record
 * @param order its fields in the order Rust declares them, for bodies written as an array
 * @param reader makes it of its fields
 * @param writer writes its fields
 */
public record Variant<V>(
        String name, Class<V> type, List<String> order, Function<JsonFields, V> reader, Writer<V> writer) {
    public Variant {
        order = List.copyOf(order);
    }

    /** Writes the fields of a value. */
    @FunctionalInterface
    public interface Writer<V> {
        /** Writes them into the object that is open. */
        void write(JsonOutput out, V value) throws IOException;
    }

    V read(JsonValue body) {
        return reader.apply(JsonFields.of(body, order));
    }

    void write(JsonOutput out, Object value) throws IOException {
        writer.write(out, type.cast(value));
    }
}
