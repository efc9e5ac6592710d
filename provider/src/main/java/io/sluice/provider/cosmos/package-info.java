/**
 * The contract over Azure Cosmos DB. {@link io.sluice.provider.cosmos.CosmosProvider} is the way in;
 * {@link io.sluice.provider.cosmos.CosmosStore} is the checked container beneath it.
 */
@NullMarked
package io.sluice.provider.cosmos;

import org.jspecify.annotations.NullMarked;
