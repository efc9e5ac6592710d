package io.sluice.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a load program is asked for: arguments such as {@code processes=1,10}, over defaults. */
final class Options {
    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = values;
    }

    /**
     * The arguments.
     *
     * @param defaults all options there are
     * @throws IllegalArgumentException when there is no such option
     */
    static Options of(Map<String, String> defaults, String... arguments) {
        Map<String, String> values = new HashMap<>(defaults);
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            if (parts.length != 2 || !defaults.containsKey(parts[0])) {
                throw new IllegalArgumentException(
                        "options are " + defaults.keySet().stream().sorted().toList() + ", was " + argument);
            }
            values.put(parts[0], parts[1]);
        }
        return new Options(values);
    }

    /** Values with commas between. */
    List<String> all(String option) {
        String value = values.getOrDefault(option, "");
        return value.isEmpty() ? List.of() : List.of(value.split(",", -1));
    }

    /** The same, of numbers. */
    List<Integer> numbers(String option) {
        return all(option).stream().map(Integer::parseInt).toList();
    }

    /** One number. */
    int number(String option) {
        return Integer.parseInt(values.getOrDefault(option, ""));
    }

    /** The name of the case that the others are compared with; empty for the first one. */
    String baseline() {
        return values.getOrDefault("baseline", "");
    }
}
