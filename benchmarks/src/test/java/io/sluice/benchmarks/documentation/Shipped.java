package io.sluice.benchmarks.documentation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A library that comes with modules that ship, as {@code docs/dependencies.md} has it in a row.
 *
 * @param name group and artifact, with a colon between
 * @param licences those it is offered under, by their SPDX names where they have one
 * @param modules with which it comes
 */
record Shipped(String name, String version, Set<String> licences, Set<String> modules) {
    static final List<String> MODULES = List.of(
            "provider", "provider-kafka", "durabletask-host", "client", "outbox-relay", "cosmos-emulator", "testkit");

    private static final String OURS = "io.sluice";
    private static final String OR = " or ";
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([^`]+:[^`]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$");
    private static final Pattern RESOLVED = Pattern.compile(
            "(?m)^ +([^:\\s]+:[^:\\s]+):jar:(?:[^:\\s]+:)?([^:\\s]+):(?:compile|runtime)(?! \\(optional)");

    Shipped {
        licences = new TreeSet<>(licences);
        modules = new TreeSet<>(modules);
    }

    /** The page's rows. */
    static List<Shipped> onPage(String page) {
        return ROW.matcher(page)
                .results()
                .map(row -> new Shipped(row.group(1), row.group(2), parts(row.group(3), OR), parts(row.group(4), ", ")))
                .toList();
    }

    private static Set<String> parts(String cell, String between) {
        return Set.of(cell.strip().split(between, -1));
    }

    String row() {
        return "| `" + name + "` | " + version + " | " + String.join(OR, licences) + " | " + String.join(", ", modules)
                + " |";
    }

    /** What Maven resolved for a module, without licences: the build leaves it next to the module's classes. */
    static Stream<Shipped> resolved(String module) throws IOException {
        return RESOLVED.matcher(Repository.text(Path.of(module, "target", "dependencies.txt")))
                .results()
                .map(found -> resolved(module, found))
                .filter(Shipped::isForeign);
    }

    private static Shipped resolved(String module, MatchResult found) {
        return new Shipped(found.group(1), found.group(2), Set.of(), Set.of(module));
    }

    /** What a module's bill of materials says. */
    static Stream<Shipped> billed(String module) throws IOException {
        return StreamSupport.stream(bill(Path.of(module)).path("components").spliterator(), false)
                .filter(component -> !component.path("scope").asText().equals("optional"))
                .map(component -> new Shipped(
                        component.path("group").asText() + ":"
                                + component.path("name").asText(),
                        component.path("version").asText(),
                        licences(component),
                        Set.of(module)))
                .filter(Shipped::isForeign);
    }

    /** The bill of materials of a module, or of the project in its root. */
    static JsonNode bill(Path folder) throws IOException {
        return new ObjectMapper()
                .readTree(Files.readString(Repository.ROOT.resolve(folder).resolve(Path.of("target", "bom.json"))));
    }

    private static Set<String> licences(JsonNode component) {
        return StreamSupport.stream(component.path("licenses").spliterator(), false)
                .map(licence -> licence.path("license"))
                .map(licence -> licence.path("id").asText(licence.path("name").asText()))
                .collect(Collectors.toSet());
    }

    private boolean isForeign() {
        return !name.startsWith(OURS + ":");
    }

    /** One of each library and version, with all its modules; in order. */
    static Collection<Shipped> together(Stream<Shipped> each) {
        Map<String, Shipped> all = new TreeMap<>();
        each.forEach(one -> all.merge(one.name() + " " + one.version(), one, Shipped::and));
        return all.values();
    }

    private Shipped and(Shipped other) {
        return new Shipped(name, version, union(licences, other.licences), union(modules, other.modules));
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
    }

    Shipped withoutLicences() {
        return new Shipped(name, version, Set.of(), modules);
    }
}
