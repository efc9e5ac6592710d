package io.sluice.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The Dockerfile: its arguments and, by stage, its instructions, continued lines joined. */
record Dockerfile(Map<String, String> arguments, Map<String, List<String>> stages, Map<String, String> bases) {
    private static final Pattern FROM = Pattern.compile("FROM (\\S+) AS (\\S+)");
    private static final Pattern ARG = Pattern.compile("ARG (\\w+)=(\\S+)");

    static Dockerfile read() {
        var arguments = new LinkedHashMap<String, String>();
        var stages = new LinkedHashMap<String, List<String>>();
        var bases = new LinkedHashMap<String, String>();
        List<String> current = new ArrayList<>();
        for (var line : Repository.text("Dockerfile")
                .replaceAll("(?m)^#.*\\n", "")
                .replaceAll("\\\\\\n\\s*", "")
                .split("\n", -1)) {
            var argument = ARG.matcher(line);
            var from = FROM.matcher(line);
            if (argument.matches()) {
                arguments.putIfAbsent(argument.group(1), argument.group(2));
            } else if (from.matches()) {
                current = new ArrayList<>();
                stages.put(from.group(2), current);
                bases.put(from.group(2), from.group(1));
            } else if (!line.isBlank()) {
                current.add(line.strip());
            }
        }
        return new Dockerfile(arguments, stages, bases);
    }

    /** The instructions of a stage and of those it is built upon, its own first. */
    List<String> all(String stage) {
        var all = new ArrayList<>(stages.getOrDefault(stage, List.of()));
        var base = bases.getOrDefault(stage, "");
        if (stages.containsKey(base)) {
            all.addAll(all(base));
        }
        return all;
    }

    /** What the first instruction of this name says; of those below too. */
    String instruction(String stage, String name) {
        return all(stage).stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }
}
