/**
 * An Azure Cosmos DB (NoSQL) to embed: a server on loopback that the official SDK talks to in gateway mode, with a log of
 * its requests and faults on request. Read {@link io.sluice.emulator.CosmosEmulator} first.
 */
@NullMarked
package io.sluice.emulator;

import org.jspecify.annotations.NullMarked;
