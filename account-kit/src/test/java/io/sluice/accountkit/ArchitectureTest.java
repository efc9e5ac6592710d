package io.sluice.accountkit;

import io.sluice.testkit.architecture.ModuleRules;

/** The rules that all modules keep. */
class ArchitectureTest extends ModuleRules {
    ArchitectureTest() {
        super("io.sluice.accountkit");
    }
}
