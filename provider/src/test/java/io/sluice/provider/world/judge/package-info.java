/**
 * What must hold of contents, histories, locks and deletions, after every transaction of the store and in the end:
 * start with {@link io.sluice.provider.world.judge.Ledger}.
 */
@NullMarked
package io.sluice.provider.world.judge;

import org.jspecify.annotations.NullMarked;
