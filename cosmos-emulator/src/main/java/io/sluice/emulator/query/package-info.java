/**
 * The query language of Cosmos DB: text to a small immutable tree, the tree to results over documents, and the plan by
 * which an SDK merges the results of several partitions. Read {@link io.sluice.emulator.query.CosmosQuery} first.
 */
@NullMarked
package io.sluice.emulator.query;

import org.jspecify.annotations.NullMarked;
