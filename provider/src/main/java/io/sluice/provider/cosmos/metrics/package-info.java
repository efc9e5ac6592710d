/** Meters of Micrometer, which is optional: nothing here is loaded unless a registry is given. */
@NullMarked
package io.sluice.provider.cosmos.metrics;

import org.jspecify.annotations.NullMarked;
