/** The rules about structure that every module keeps. Start with {@link io.sluice.testkit.architecture.ModuleRules}. */
@NullMarked
package io.sluice.testkit.architecture;

import org.jspecify.annotations.NullMarked;
