package io.sluice.relay.ledger;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** What a run is told, as {@code name=value}; what it is not told has the value of the long run. Not thread-safe. */
final class Settings {
    private static final int SEEDS = 1_000_000;

    private final String run;
    private final Map<String, String> values = new HashMap<>();
    private final Set<String> known = new HashSet<>();

    private Settings(String run, List<String> arguments) {
        this.run = run;
        for (var argument : arguments) {
            int at = argument.indexOf('=');
            if (at < 0) {
                throw new IllegalArgumentException("a setting is <name>=<value>, was " + argument);
            }
            values.put(argument.substring(0, at), argument.substring(at + 1));
        }
    }

    /** Of a command line: the run's name, then its settings. */
    static Settings parse(String... arguments) {
        return new Settings(arguments[0], Arrays.asList(arguments).subList(1, arguments.length));
    }

    String run() {
        return run;
    }

    String text(String name, String otherwise) {
        known.add(name);
        return values.getOrDefault(name, otherwise);
    }

    int number(String name, int otherwise) {
        return Integer.parseInt(text(name, String.valueOf(otherwise)));
    }

    double decimal(String name, double otherwise) {
        return Double.parseDouble(text(name, String.valueOf(otherwise)));
    }

    boolean isSet(String name, boolean otherwise) {
        return Boolean.parseBoolean(text(name, String.valueOf(otherwise)));
    }

    /** Any, where none is set; from then on it is. */
    long seed() {
        known.add("seed");
        return Long.parseLong(values.computeIfAbsent("seed", name -> String.valueOf(new Random().nextInt(SEEDS))));
    }

    /** Refuses what was set and nobody asked for; to be called when everything was. */
    void refuseUnknown() {
        var unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(run + " knows " + new TreeSet<>(known) + ", not " + unknown);
        }
    }

    /** How to do the same once more; refuses what was set and nobody asked for, so it is asked for last. */
    String checkedCommand() {
        refuseUnknown();
        return command();
    }

    /** How to do the same once more. */
    String command() {
        var words = new StringBuilder("mvn -q -Pledger -Dledger.run=\"" + run);
        values.forEach(
                (name, value) -> words.append(' ').append(name).append('=').append(value));
        return words.append('"').toString();
    }
}
