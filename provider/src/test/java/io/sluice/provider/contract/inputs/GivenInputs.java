package io.sluice.provider.contract.inputs;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The distinct inputs of some calls. As a text they are sorted, and the same whenever the calls were:
 * {@code activity: lock 5 s/30 s, poll 0 s; turn: lock 30 s, poll 0 s, versions 1.0.0–1.9.9}. Thread-safe.
 */
public final class GivenInputs {
    /** Name of the report entry that each scenario publishes its inputs under. */
    public static final String ENTRY = "inputs";

    /** What most calls give: a text names it only beside other values. */
    private static final Map<String, String> USUAL = Map.of(
            "completed", "whenever",
            "limit", "none",
            "orchestrations", "every",
            "session", "none",
            "tags", "untagged",
            "versions", "every");

    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,10})( (ms|s|min|h))?");
    private static final Map<String, Long> MILLIS = Map.of("ms", 1L, "s", 1_000L, "min", 60_000L, "h", 3_600_000L);

    /** By length, then what is no number. */
    private static final Comparator<String> ORDER =
            Comparator.comparingLong(GivenInputs::size).thenComparing(Comparator.naturalOrder());

    /** Values by call and name of the input. */
    private final SortedMap<String, SortedMap<String, SortedSet<String>>> values = new TreeMap<>();

    /** What a text says that {@link #toString} gave. */
    public static GivenInputs parse(String text) {
        GivenInputs inputs = new GivenInputs();
        for (String call : text.isEmpty() ? new String[0] : text.split("; ")) {
            String[] named = call.split(": ", 2);
            for (String input : named[1].split(", ")) {
                String[] parts = input.split(" ", 2);
                for (String value : parts[1].split("/")) {
                    inputs.note(named[0], parts[0], value);
                }
            }
        }
        return inputs;
    }

    /**
     * Adds one input.
     *
     * @param call what is called; no colon and no semicolon
     * @param input one word
     * @param value no comma, no semicolon and no slash
     */
    public synchronized void note(String call, String input, String value) {
        values.computeIfAbsent(call, some -> new TreeMap<>())
                .computeIfAbsent(input, some -> new TreeSet<>(ORDER))
                .add(value);
    }

    /** Adds a length of time; "none" for none. */
    public void note(String call, String input, @Nullable Duration value) {
        note(call, input, value == null ? "none" : text(value));
    }

    /** Adds all of another. */
    public void add(GivenInputs other) {
        other.copy()
                .forEach((call, inputs) ->
                        inputs.forEach((input, ofInput) -> ofInput.forEach(value -> note(call, input, value))));
    }

    /** Those that the other one lacks. */
    public GivenInputs without(GivenInputs other) {
        var others = other.copy();
        GivenInputs rest = new GivenInputs();
        copy().forEach((call, inputs) -> inputs.forEach((input, ofInput) -> {
            var known = others.getOrDefault(call, new TreeMap<>()).getOrDefault(input, new TreeSet<>());
            ofInput.stream().filter(value -> !known.contains(value)).forEach(value -> rest.note(call, input, value));
        }));
        return rest;
    }

    /** Those of other calls than these. */
    public GivenInputs withoutCalls(Set<String> calls) {
        GivenInputs rest = new GivenInputs();
        rest.values.putAll(copy());
        rest.values.keySet().removeAll(calls);
        return rest;
    }

    /** Forgets all. */
    public synchronized void clear() {
        values.clear();
    }

    private synchronized SortedMap<String, SortedMap<String, SortedSet<String>>> copy() {
        SortedMap<String, SortedMap<String, SortedSet<String>>> copy = new TreeMap<>();
        values.forEach((call, inputs) -> {
            SortedMap<String, SortedSet<String>> ofCall = copy.computeIfAbsent(call, some -> new TreeMap<>());
            inputs.forEach((input, ofInput) -> ofCall.put(input, new TreeSet<>(ofInput)));
        });
        return copy;
    }

    /** Empty when there are none, or usual ones alone. */
    @Override
    public String toString() {
        return copy().entrySet().stream()
                .map(call -> call.getKey() + ": " + text(call.getValue()))
                .filter(text -> !text.endsWith(": "))
                .collect(Collectors.joining("; "));
    }

    private static String text(Map<String, SortedSet<String>> inputs) {
        return inputs.entrySet().stream()
                .filter(input -> !input.getValue().equals(Set.of(USUAL.getOrDefault(input.getKey(), ""))))
                .map(input -> input.getKey() + " " + String.join("/", input.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String text(Duration time) {
        long millis = time.toMillis();
        if (!Duration.ofMillis(millis).equals(time)) {
            return time.toString();
        }
        if (millis % 1_000 != 0) {
            return millis + " ms";
        }
        long seconds = millis / 1_000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + " s";
        }
        return seconds % 3_600 == 0 ? seconds / 3_600 + " h" : seconds / 60 + " min";
    }

    private static long size(String value) {
        Matcher number = NUMBER.matcher(value);
        return number.matches()
                ? Long.parseLong(number.group(1)) * MILLIS.getOrDefault(String.valueOf(number.group(3)), 1L)
                : Long.MAX_VALUE;
    }
}
