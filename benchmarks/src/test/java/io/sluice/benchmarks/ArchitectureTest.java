package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.architecture.Exports;
import io.sluice.testkit.architecture.ModuleRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules that all modules keep, and that releases are compared by the same list of exports. */
class ArchitectureTest extends ModuleRules {
    ArchitectureTest() {
        super("io.sluice.benchmarks");
    }

    @Test
    void releases_are_compared_by_the_packages_that_modules_export() throws IOException {
        String pom = Files.readString(Path.of("../pom.xml"));

        assertThat(Pattern.compile("<include>(io\\.sluice\\.[\\w.]+)</include>")
                        .matcher(pom)
                        .results()
                        .map((MatchResult found) -> found.group(1)))
                .containsExactlyElementsOf(Exports.released());
    }
}
