/**
 * Every request of every operation meets every fault: the store is recovered the ordinary way, and what must hold is
 * checked.
 */
@NullMarked
package io.sluice.provider.crash;

import org.jspecify.annotations.NullMarked;
