package io.sluice.durabletask;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import io.sluice.testkit.architecture.ModuleRules;
import org.junit.jupiter.api.Test;

/** The rules that all modules keep, and those about this one that the compiler does not know. */
class ArchitectureTest extends ModuleRules {
    ArchitectureTest() {
        super("io.sluice.durabletask");
    }

    @Test
    void features_use_each_other_in_one_direction() {
        check(slices().matching("io.sluice.durabletask.(*)..").should().beFreeOfCycles());
    }

    @Test
    void events_and_decisions_are_made_without_a_server_or_a_store() {
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sluice.durabletask.history..",
                        "io.sluice.durabletask.state..",
                        "io.sluice.durabletask.turn..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", "io.sluice.provider.cosmos..", "com.azure.."));
    }
}
