package io.sluice.durabletask;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Rules about this module that the compiler does not know. */
class ArchitectureTest {
    private static final JavaClasses HOST = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice.durabletask");

    @Test
    void features_use_each_other_in_one_direction() {
        slices().matching("io.sluice.durabletask.(*)..")
                .should()
                .beFreeOfCycles()
                .check(HOST);
    }

    @Test
    void events_and_decisions_are_made_without_a_server_or_a_store() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sluice.durabletask.history..",
                        "io.sluice.durabletask.state..",
                        "io.sluice.durabletask.turn..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", "io.sluice.provider.cosmos..", "com.azure..")
                .check(HOST);
    }

    @Test
    void the_host_uses_what_the_provider_exports() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.sluice.provider.json..",
                        "io.sluice.provider.document..",
                        "io.sluice.provider.request..",
                        "io.sluice.provider.cosmos.*..")
                .check(HOST);
    }
}
