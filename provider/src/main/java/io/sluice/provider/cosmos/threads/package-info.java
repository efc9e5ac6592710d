/** Threads of a provider's own, on which one operation does several things at one time. */
@NullMarked
package io.sluice.provider.cosmos.threads;

import org.jspecify.annotations.NullMarked;
