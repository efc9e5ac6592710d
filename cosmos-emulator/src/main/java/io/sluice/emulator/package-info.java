/**
 * An Azure Cosmos DB (NoSQL) to embed: a server on loopback for official SDKs in gateway mode, with a log of its
 * requests and faults that a test injects. Read {@link io.sluice.emulator.CosmosEmulator} first.
 */
@NullMarked
package io.sluice.emulator;

import org.jspecify.annotations.NullMarked;
