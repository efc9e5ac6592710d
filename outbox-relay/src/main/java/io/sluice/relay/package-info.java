/**
 * The outbox relay: Cosmos change feed to target partitions and Kafka, Kafka commands to orchestrator queues.
 * Read {@link io.sluice.relay.OutboxRelay} first; {@link io.sluice.relay.cli.Main} is the same thing as a program.
 */
@NullMarked
package io.sluice.relay;

import org.jspecify.annotations.NullMarked;
