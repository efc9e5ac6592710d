/**
 * The admin operations: reading the store as a whole, pruning and removing. Start with
 * {@link io.sluice.provider.cosmos.admin.CosmosAdmin}.
 */
@NullMarked
package io.sluice.provider.cosmos.admin;

import org.jspecify.annotations.NullMarked;
