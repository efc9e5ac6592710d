/** Keeps history that is to be removed until the relay has published it. */
@NullMarked
package io.sluice.provider.cosmos.purge;

import org.jspecify.annotations.NullMarked;
