package io.sluice.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The jars that pages start whose commands are not run by a test: each must be one file, and a program. They are built
 * by {@code mvn package}.
 */
class DocumentedJarsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^(\\w+)=(\\S+\\.jar)$");
    private static final Pattern STARTED = Pattern.compile("java -jar ([\\w$./*-]+)");

    @ParameterizedTest
    @CsvSource({"README.md, 1", "docs/runbook.md, 1", "outbox-relay/README.md, 1", "cosmos-emulator/README.md, 2"})
    void every_jar_a_page_starts_is_a_program(String page, int jars) throws IOException {
        assertThat(jarsStartedBy(Files.readString(ROOT.resolve(page))))
                .hasSize(jars)
                .allSatisfy(DocumentedJarsTest::assertStarts);
    }

    /** The jars of this build; those of images are copies of them. */
    private static List<String> jarsStartedBy(String page) {
        Map<String, String> variables = new HashMap<>();
        VARIABLE.matcher(page).results().forEach(found -> variables.put("$" + found.group(1), found.group(2)));
        return STARTED.matcher(page)
                .results()
                .map(found -> variables.getOrDefault(found.group(1), found.group(1)))
                .filter(jar -> jar.contains("/target/"))
                .distinct()
                .toList();
    }

    private static void assertStarts(String name) throws IOException {
        List<Path> found = new ArrayList<>();
        Path pattern = ROOT.resolve(name);
        try (var files = Files.newDirectoryStream(
                pattern.getParent(), pattern.getFileName().toString())) {
            files.forEach(found::add);
        }
        assertThat(found)
                .as("what the shell makes of %s", name)
                .singleElement()
                .satisfies(DocumentedJarsTest::assertIsProgram);
    }

    private static void assertIsProgram(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            String main = jar.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            assertThat(main).as("main class of %s", file).isNotNull();
            assertThat(jar.getEntry(main.replace('.', '/') + ".class"))
                    .as("%s in %s", main, file)
                    .isNotNull();
        }
    }
}
