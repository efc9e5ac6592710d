package io.sluice.client;

import io.sluice.testkit.architecture.ModuleRules;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;

/** The rules that all modules keep. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest extends ModuleRules {
    ArchitectureTest() {
        super("io.sluice.client");
    }
}
