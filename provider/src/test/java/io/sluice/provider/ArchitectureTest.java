package io.sluice.provider;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import io.sluice.testkit.architecture.ModuleRules;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that all modules keep, and those about the provider's own code. */
class ArchitectureTest extends ModuleRules {
    ArchitectureTest() {
        super("io.sluice.provider");
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.sluice.provider.(*)..", "io.sluice.provider.cosmos.(*).."})
    void features_use_each_other_in_one_direction(String features) {
        check(slices().matching(features).should().beFreeOfCycles());
    }
}
