/** How much a run of seeded tests does. */
@NullMarked
package io.sluice.testkit.seed;

import org.jspecify.annotations.NullMarked;
