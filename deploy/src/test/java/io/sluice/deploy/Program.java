package io.sluice.deploy;

import io.sluice.testkit.process.JavaProgram;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The programs as an image starts them: in a process of their own, by their main classes. */
final class Program {
    static final Class<?> RELAY = io.sluice.relay.cli.Main.class;
    static final Class<?> DURABLETASK_HOST = io.sluice.durabletask.cli.Main.class;
    static final Class<?> EMULATOR = io.sluice.emulator.Main.class;

    private static final Pattern VARIABLE = Pattern.compile("(?m)^  ([A-Z][A-Z_]+)  ");
    private static final Pattern DEFAULT = Pattern.compile("(?m)^  ([A-Z][A-Z_]+)  .*default (\\S+)$");

    private static final Run SETTINGS = run(RELAY, List.of(), "settings");
    private static final Run HOST_SETTINGS = run(DURABLETASK_HOST, List.of(), "settings");

    private static final Run HELP = run(RELAY, List.of(), "--help");
    private static final Run HOST_HELP = run(DURABLETASK_HOST, List.of(), "--help");

    private Program() {}

    /** A program that has ended: its exit code and all it printed. */
    record Run(int code, String output) {}

    static Run run(Class<?> main, List<String> jvm, String... args) {
        var program = JavaProgram.of(main, args).small(256).withFlags(jvm.toArray(String[]::new));
        try (var process = program.start()) {
            return new Run(process.awaitEnd(), String.join("\n", process.lines()));
        }
    }

    /** The variables that the relay reads, as its own list has them. */
    static Set<String> settings() {
        return variables(SETTINGS);
    }

    /** The variables that the DurableTask host reads, as its own list has them. */
    static Set<String> hostSettings() {
        return variables(HOST_SETTINGS);
    }

    private static Set<String> variables(Run settings) {
        return VARIABLE.matcher(settings.output())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a variable of the relay is when it is not given. */
    static String defaultOf(String variable) {
        return defaultOf(SETTINGS, variable);
    }

    /** What a variable of the DurableTask host is when it is not given. */
    static String hostDefaultOf(String variable) {
        return defaultOf(HOST_SETTINGS, variable);
    }

    private static String defaultOf(Run settings, String variable) {
        return DEFAULT.matcher(settings.output())
                .results()
                .filter(found -> found.group(1).equals(variable))
                .map(found -> found.group(2))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no default of " + variable));
    }

    /** The relay's verbs. */
    static Set<String> relayVerbs() {
        return verbs(HELP.output());
    }

    /** The DurableTask host's verbs. */
    static Set<String> hostVerbs() {
        return verbs(HOST_HELP.output());
    }

    private static Set<String> verbs(String help) {
        var commands = help.substring(help.indexOf("Commands:"));
        return Pattern.compile("(?m)^  ([a-z][a-z-]*)\\b")
                .matcher(commands)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
