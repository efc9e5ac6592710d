/** Of our own operations, by the provider's public interface, and of latencies. */
@NullMarked
package io.sluice.accountkit.check.store;

import org.jspecify.annotations.NullMarked;
