package io.sluice.testkit.architecture;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What other modules and users may touch: the one list that rules, comparison of releases and documentation follow. */
public final class Exports {
    private static final Map<String, Set<String>> OF_MODULES = Map.ofEntries(
            Map.entry(
                    "io.sluice.provider",
                    Set.of(
                            "io.sluice.provider",
                            "io.sluice.provider.announcement",
                            "io.sluice.provider.cosmos",
                            "io.sluice.provider.history",
                            "io.sluice.provider.lease",
                            "io.sluice.provider.outbox",
                            "io.sluice.provider.work")),
            Map.entry("io.sluice.provider.kafka", Set.of("io.sluice.provider.kafka")),
            Map.entry(
                    "io.sluice.program",
                    Set.of(
                            "io.sluice.program",
                            "io.sluice.program.cli",
                            "io.sluice.program.http",
                            "io.sluice.program.setting")),
            Map.entry("io.sluice.durabletask", Set.of("io.sluice.durabletask")),
            Map.entry("io.sluice.relay", Set.of("io.sluice.relay", "io.sluice.relay.config", "io.sluice.relay.status")),
            Map.entry("io.sluice.client", Set.of("io.sluice.client", "io.sluice.client.lifecycle")),
            Map.entry("io.sluice.emulator", Set.of("io.sluice.emulator")),
            Map.entry(
                    "io.sluice.testkit",
                    Set.of(
                            "io.sluice.testkit",
                            "io.sluice.testkit.architecture",
                            "io.sluice.testkit.fuzz",
                            "io.sluice.testkit.judge",
                            "io.sluice.testkit.process",
                            "io.sluice.testkit.seed")),
            Map.entry("io.sluice.examples", Set.of("io.sluice.examples")),
            Map.entry("io.sluice.accountkit", Set.of("io.sluice.accountkit")),
            Map.entry("io.sluice.benchmarks", Set.of("io.sluice.benchmarks")));

    /** Modules that are run and never built upon by users. */
    private static final Set<String> NOT_RELEASED =
            Set.of("io.sluice.examples", "io.sluice.accountkit", "io.sluice.benchmarks");

    /** Modules that live in programs of others. */
    private static final Set<String> LIBRARIES = Set.of(
            "io.sluice.provider",
            "io.sluice.provider.kafka",
            "io.sluice.client",
            "io.sluice.emulator",
            "io.sluice.testkit");

    private Exports() {}

    /** The root packages of all modules. */
    public static Set<String> roots() {
        return OF_MODULES.keySet();
    }

    /** All packages that are kept compatible from the first release on, in alphabetical order. */
    public static List<String> released() {
        return OF_MODULES.entrySet().stream()
                .filter(module -> !NOT_RELEASED.contains(module.getKey()))
                .flatMap(module -> module.getValue().stream())
                .sorted()
                .toList();
    }

    /** The root package of the module that a package belongs to; empty when it is not ours. */
    static Optional<String> rootOf(String packageName) {
        return OF_MODULES.keySet().stream()
                .filter(root -> packageName.equals(root) || packageName.startsWith(root + "."))
                .max(Comparator.comparingInt(String::length));
    }

    static boolean isLibrary(String root) {
        return LIBRARIES.contains(root);
    }

    static boolean isExported(String root, String packageName) {
        return OF_MODULES.getOrDefault(root, Set.of()).contains(packageName);
    }
}
