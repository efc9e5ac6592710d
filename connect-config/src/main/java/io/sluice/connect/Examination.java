package io.sluice.connect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One configuration under examination: its values, and the faults found so far. Not thread-safe. */
final class Examination {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^}:]+:[^}]*}");

    private final Map<String, String> config;
    private final List<Fault> faults = new ArrayList<>();

    Examination(Map<String, String> config) {
        this.config = Map.copyOf(config);
    }

    Map<String, String> config() {
        return config;
    }

    /** The value of a key, empty when it is absent. */
    String value(String key) {
        return config.getOrDefault(key, "");
    }

    boolean isGiven(String key) {
        return !value(key).isBlank();
    }

    /** Whether a key has this value, be it given or by default. */
    boolean is(String key, String value, String byDefault) {
        return (isGiven(key) ? value(key) : byDefault).equals(value);
    }

    /** The elements of a list, blank ones left out; none when a config provider supplies any of it. */
    List<String> elements(String key) {
        if (hasReference(value(key))) {
            return List.of();
        }
        return Stream.of(value(key).split(",", -1))
                .map(String::strip)
                .filter(element -> !element.isEmpty())
                .toList();
    }

    /** Whether a value, or a part of it, is known to the worker's config providers alone. */
    static boolean hasReference(String value) {
        return REFERENCE.matcher(value).find();
    }

    /** Whether a value is nothing but one reference to a config provider. */
    static boolean isReference(String value) {
        return REFERENCE.matcher(value).matches();
    }

    void require(String key) {
        require(key, "is required");
    }

    void require(String key, String complaint) {
        if (!isGiven(key)) {
            fault(key, complaint);
        }
    }

    /** A key that the connector would silently ignore is a mistake of who wrote it. */
    void onlyReadWith(boolean isRead, String condition, String... keys) {
        for (String key : keys) {
            if (!isRead && isGiven(key)) {
                fault(key, "is only read with " + condition);
            }
        }
    }

    void fault(String key, String complaint) {
        faults.add(new Fault(key, complaint));
    }

    List<Fault> faults() {
        return faults.stream()
                .sorted(Comparator.comparing(Fault::key).thenComparing(Fault::complaint))
                .toList();
    }
}
