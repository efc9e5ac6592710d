package io.sluice.client.lifecycle;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The names of facts, as {@link Fact} lists them for Jackson. */
final class FactTypes {
    private static final Map<Class<?>, String> NAMES = Arrays.stream(
                    Fact.class.getAnnotation(JsonSubTypes.class).value())
            .collect(Collectors.toUnmodifiableMap(JsonSubTypes.Type::value, JsonSubTypes.Type::name));

    private FactTypes() {}

    static String nameOf(Fact fact) {
        var name = NAMES.get(fact.getClass());
        if (name == null) {
            throw new IllegalStateException("a fact without a name: " + fact.getClass());
        }
        return name;
    }
}
