package io.sluice.emulator;

import io.sluice.testkit.architecture.ModuleRules;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;

/** The rules that all modules keep. They stand here, since the testkit is built upon the emulator. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest extends ModuleRules {
    ArchitectureTest() {
        super("io.sluice.emulator");
    }
}
