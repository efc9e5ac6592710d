package io.sluice.provider.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pages of the protocols name a test for every weaker variant of their models; what they name exists. The models
 * themselves take minutes and are explored by {@link ProtocolModelsIT}. It reads sources, since the tests of other
 * modules are on no class path.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProtocolPagesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGES = ROOT.resolve("docs").resolve("protocols");
    private static final Pattern REFERENCE = Pattern.compile("`(\\w+)#(\\w+)`");
    /** A case that is expected to break something: its name in double or single quotes, then the invariant's. */
    private static final Pattern WEAKER = Pattern.compile("\\b[cC]ase\\(\\s*(?:\"([^\"]+)\"|'([^']+)'),\\s*\"[A-Z]+\"");

    private static final Map<String, String> TESTS = sourcesOfTests();

    static Stream<String> models() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                    .map(name -> name.substring(0, name.length() - ".md".length()))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @Test
    void every_protocol_has_its_page() throws IOException {
        assertThat(models())
                .containsExactly(
                        "announced_looks",
                        "clean_ranges",
                        "commands",
                        "deletion",
                        "dispatch",
                        "fetch_ack",
                        "host_turn",
                        "intents",
                        "mixed_fleet",
                        "positions",
                        "purge",
                        "range_splits",
                        "slots",
                        "staged_turns",
                        "takeover");
    }

    @ParameterizedTest
    @MethodSource("models")
    void every_test_a_page_names_exists(String model) throws IOException {
        List<MatchResult> references = REFERENCE.matcher(page(model)).results().toList();

        assertThat(references.isEmpty())
                .as("no tests named in %s.md", model)
                .isEqualTo(page(model).contains("**Not built yet.**"));
        for (MatchResult reference : references) {
            assertThat(TESTS).as("%s.md names %s", model, reference.group()).containsKey(reference.group(1));
            assertThat(TESTS.get(reference.group(1)))
                    .as("%s.md names %s", model, reference.group())
                    .containsPattern("void " + reference.group(2) + "\\(");
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void every_weaker_variant_stands_in_its_page(String model) throws IOException {
        List<String> variants = new ArrayList<>();
        WEAKER.matcher(Files.readString(PAGES.resolve(model + ".py")))
                .results()
                .forEach(found -> variants.add(found.group(1) == null ? found.group(2) : found.group(1)));

        assertThat(variants).as("weaker variants of %s.py", model).isNotEmpty();
        assertThat(page(model))
                .contains(variants.stream().map(name -> "\n| " + name + " | ").toList());
    }

    private static String page(String model) throws IOException {
        return Files.readString(PAGES.resolve(model + ".md"));
    }

    private static Map<String, String> sourcesOfTests() {
        Map<String, String> sources = new HashMap<>();
        for (String module : List.of("provider", "provider-kafka", "outbox-relay", "durabletask-host")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    // Classes of two modules may have one name: what a page names is in one of them.
                    sources.merge(
                            name.substring(0, name.length() - ".java".length()),
                            Files.readString(file),
                            String::concat);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sources;
    }
}
