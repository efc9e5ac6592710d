package io.sluice.provider.json;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one list of the records of a sealed type: both directions of their JSON stand side by side. Immutable.
 *
 * @param <T> the sealed type
 */
public final class VariantTable<T> {
    private final Map<String, Variant<? extends T>> byName = new LinkedHashMap<>();
    private final Map<Class<?>, Variant<? extends T>> byType = new LinkedHashMap<>();

    /**
     * Of all its variants.
     *
     * @throws IllegalArgumentException when a name or a type stands twice
     */
    public VariantTable(Collection<Variant<? extends T>> variants) {
        for (Variant<? extends T> variant : variants) {
            if (byName.put(variant.name(), variant) != null || byType.put(variant.type(), variant) != null) {
                throw new IllegalArgumentException("a variant stands in its table once, twice was " + variant.name());
            }
        }
    }

    /** The names it knows. */
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    /** The records it knows. */
    public Set<Class<?>> types() {
        return Set.copyOf(byType.keySet());
    }

    /** The name of a value's variant. */
    public String name(T value) {
        return variant(value).name();
    }

    /** Reads a variant whose name is known from elsewhere, of fields among others; null when the name is unknown. */
    public @Nullable T read(String name, JsonFields fields) {
        Variant<? extends T> variant = byName.get(name);
        return variant == null ? null : variant.reader().apply(fields);
    }

    /** Writes the fields of a value, without its name. */
    public void write(JsonOutput out, T value) throws IOException {
        variant(value).write(out, value);
    }

    /** Reads an object whose one key names the variant. */
    public T readTagged(JsonValue value) {
        Map.Entry<String, JsonValue> tagged = value.onlyField();
        Variant<? extends T> variant = byName.get(tagged.getKey());
        if (variant == null) {
            throw value.fault("expected one of " + byName.keySet() + ", found " + JsonFault.printable(tagged.getKey()));
        }
        return variant.read(tagged.getValue());
    }

    /** Writes the one field of an object: the variant's name, and a body with its fields. */
    public void writeTagged(JsonOutput out, T value) throws IOException {
        Variant<? extends T> variant = variant(value);
        out.object(variant.name(), body -> variant.write(body, value));
    }

    private Variant<? extends T> variant(T value) {
        Variant<? extends T> variant = byType.get(value.getClass());
        if (variant == null) {
            throw new AssertionError("not in the table: " + value.getClass());
        }
        return variant;
    }
}
