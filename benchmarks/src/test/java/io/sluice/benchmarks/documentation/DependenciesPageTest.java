package io.sluice.benchmarks.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/dependencies.md} has all that ships, under licences we allow. Versions and modules are held to what Maven
 * resolves in every build; licences are written from the bills of materials when the page is recorded, which a new
 * library or version makes necessary.
 */
class DependenciesPageTest {
    private static final Path PAGE = Path.of("docs", "dependencies.md");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    /** Licences, and why we may ship under them; of several that a library is offered under, one is enough. */
    private static final Map<String, String> ALLOWED = new TreeMap<>(Map.of(
            "Apache-2.0", "permissive",
            "BSD-2-Clause", "permissive",
            "BSD-3-Clause", "permissive",
            "Bouncy Castle Licence", "MIT under another name",
            "CC0-1.0", "dedicated to the public",
            "EPL-2.0", "weak copyleft: for changes to the library's own files, and we ship it unchanged",
            "Go License", "BSD-3-Clause under another name (RE2/J)",
            "MIT", "permissive",
            "MIT-0", "permissive, without the notice",
            "MPL-2.0", "weak copyleft: for changes to the library's own files, and we ship it unchanged"));

    private static final String COMMAND = """
            mvn -q -Psbom && mvn -q test -pl benchmarks -am -Dtest=DependenciesPageTest \\
                -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.dependencies.record=true""";

    @BeforeAll
    static void record() throws IOException {
        if (Boolean.getBoolean("sluice.dependencies.record")) {
            everyModuleHasABill();
            Files.writeString(Repository.ROOT.resolve(PAGE), rendered());
        }
    }

    private static void everyModuleHasABill() throws IOException {
        var bill = Shipped.bill(Path.of("."));
        var modules = MODULE.matcher(Repository.text(Path.of("pom.xml")))
                .results()
                .map(module -> "sluice-" + module.group(1))
                .collect(Collectors.toSet());

        assertThat(StreamSupport.stream(bill.path("components").spliterator(), false)
                        .filter(component -> component.path("group").asText().equals("io.sluice"))
                        .map(component -> component.path("name").asText()))
                .containsExactlyInAnyOrderElementsOf(modules);
    }

    private static Collection<Shipped> all(Source source) throws IOException {
        Stream<Shipped> all = Stream.empty();
        for (String module : Shipped.MODULES) {
            all = Stream.concat(all, source.of(module));
        }
        return Shipped.together(all);
    }

    private interface Source {
        Stream<Shipped> of(String module) throws IOException;
    }

    private static String rendered() throws IOException {
        return """
                # Dependencies

                What comes with provider, provider-kafka, DurableTask host, client, relay, emulator and testkit: all \
                that Maven resolves for run time, optional libraries left out. Written by a test from the bills of \
                materials; do not edit. To write it again:

                ```sh
                %s
                ```

                Every build holds libraries, versions and modules to what Maven resolves, and licences to those \
                below; of several that a library is offered under we take one of these.

                | licence | why |
                |---|---|
                %s

                In addition to the table of libraries: the emulator's program and image come with Logback in the \
                relay's version, and images of the relay with azure-identity
                (`-Pidentity`) and what that needs. Known vulnerabilities: \
                [security](security.md#what-we-ship-and-what-is-known-against-it).

                `mvn -Pupdates -pl bom,.` says which versions are behind, each within its own line.

                | library | version | licence | comes with |
                |---|---|---|---|
                %s
                """.formatted(
                        COMMAND,
                        ALLOWED.entrySet().stream()
                                .map(licence -> "| " + licence.getKey() + " | " + licence.getValue() + " |")
                                .collect(Collectors.joining("\n")),
                        all(Shipped::billed).stream().map(Shipped::row).collect(Collectors.joining("\n")));
    }

    @Test
    void the_page_has_what_maven_resolves() throws IOException {
        assertThat(Shipped.onPage(Repository.text(PAGE)).stream().map(Shipped::withoutLicences))
                .as("docs/dependencies.md is written by: %s", COMMAND)
                .containsExactlyElementsOf(all(Shipped::resolved))
                .hasSizeGreaterThan(100);
    }

    @Test
    void everything_ships_under_a_licence_that_is_allowed() throws IOException {
        var page = Repository.text(PAGE);

        assertThat(Shipped.onPage(page))
                .allSatisfy(library -> assertThat(library.licences()).containsAnyElementsOf(ALLOWED.keySet()))
                .isNotEmpty();
        assertThat(ALLOWED)
                .allSatisfy((licence, why) -> assertThat(page).contains("| " + licence + " | " + why + " |"));
        assertThat(ALLOWED.keySet()).as("none that nothing needs").isSubsetOf(needed(page));
    }

    private static Set<String> needed(String page) {
        return Shipped.onPage(page).stream()
                .flatMap(library -> library.licences().stream())
                .collect(Collectors.toSet());
    }

    @Test
    void a_library_under_another_licence_is_refused() {
        var row = "| `org.example:taken` | 1.0 | GPL-3.0-only or SSPL-1.0 | provider |";

        assertThat(Shipped.onPage(row))
                .singleElement()
                .returns(row, Shipped::row)
                .satisfies(library -> assertThat(library.licences()).doesNotContainAnyElementsOf(ALLOWED.keySet()));
    }
}
