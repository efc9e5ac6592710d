package io.sluice.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.testkit.architecture.Exports;
import io.sluice.testkit.architecture.ModuleRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules that all modules keep, and those across modules: the last module of the build sees all the others. */
class ArchitectureTest extends ModuleRules {
    private static final JavaClasses SLUICE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice");

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

    @Test
    void nothing_prints_to_the_console_but_programs() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sluice.provider..", "io.sluice.client..", "io.sluice.emulator..", "io.sluice.testkit..")
                .and()
                .doNotHaveFullyQualifiedName("io.sluice.emulator.Main")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(SLUICE);
    }
}
