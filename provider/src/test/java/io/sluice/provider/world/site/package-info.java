/**
 * Where worlds are played: a store with a time of its own, and a wire on which requests meet faults. Start with {@link
 * io.sluice.provider.world.site.Site}.
 */
@NullMarked
package io.sluice.provider.world.site;

import org.jspecify.annotations.NullMarked;
