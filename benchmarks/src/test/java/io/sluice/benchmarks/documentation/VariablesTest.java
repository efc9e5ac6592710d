package io.sluice.benchmarks.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Environment variables that a page names are read by somebody: by relay, provider or DurableTask host, whose settings
 * two pages are made of, or by one of the other programs and configurations here.
 */
class VariablesTest {
    private static final List<Path> CONFIGURATIONS =
            List.of(Path.of("docs", "configuration.md"), Path.of("docs", "durabletask-configuration.md"));
    private static final Pattern VARIABLE = Pattern.compile("\\b(?:SLUICE|KAFKA|COSMOS|COSMOSDB)_[A-Z0-9_]*");
    private static final Pattern LITERAL = Pattern.compile("\"((?:SLUICE|KAFKA|COSMOS|COSMOSDB)_[A-Z0-9_]+)\"");

    /** Programs with variables of their own, which they name as text in their sources. */
    private static final List<String> PROGRAMS = List.of("examples", "testkit");

    private static final Set<String> KNOWN = new TreeSet<>();

    @BeforeAll
    static void collect() throws IOException {
        for (Path page : CONFIGURATIONS) {
            VARIABLE.matcher(Repository.text(page)).results().forEach(found -> KNOWN.add(found.group()));
        }
        for (Path source : Repository.files(VariablesTest::isProgram)) {
            LITERAL.matcher(Repository.text(source)).results().forEach(found -> KNOWN.add(found.group(1)));
        }
        for (Path file : Repository.files(VariablesTest::isConfiguration)) {
            VARIABLE.matcher(Repository.text(file)).results().forEach(found -> KNOWN.add(found.group()));
        }
        KNOWN.removeIf(name -> name.endsWith("_"));
    }

    private static boolean isProgram(Path file) {
        return PROGRAMS.contains(file.getName(0).toString())
                && file.getNameCount() > 3
                && file.subpath(1, 4).equals(Path.of("src", "main", "java"));
    }

    /** What starts programs of others: of Connect, of containers, scenarios of SDKs. */
    private static boolean isConfiguration(Path file) {
        if (file.startsWith(Path.of("durabletask-host", "clients"))) {
            return file.toString().matches(".*\\.(sh|java)");
        }
        boolean own = file.startsWith("connect-config") || file.startsWith("deploy") || file.getNameCount() == 1;
        return own
                && !file.toString().contains("src")
                && file.toString().matches(".*\\.(json|properties|ya?ml|env|tpl)|.*Dockerfile");
    }

    static Stream<Page> pages() throws IOException {
        return Repository.pages().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void every_variable_a_page_names_is_read_by_somebody(Page page) {
        var unknown = VARIABLE.matcher(page.text())
                .results()
                .map(found -> found.group())
                .filter(name -> !isKnown(name))
                .distinct();

        assertThat(unknown)
                .as("variables that %s names and nobody reads", page.path())
                .isEmpty();
    }

    /** A name that ends with an underscore stands for all that begin so. */
    private static boolean isKnown(String name) {
        return name.endsWith("_") ? KNOWN.stream().anyMatch(known -> known.startsWith(name)) : KNOWN.contains(name);
    }
}
