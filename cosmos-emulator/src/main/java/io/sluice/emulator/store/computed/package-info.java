/** Computed properties: what queries of a container see of its items besides what is stored. */
@NullMarked
package io.sluice.emulator.store.computed;

import org.jspecify.annotations.NullMarked;
