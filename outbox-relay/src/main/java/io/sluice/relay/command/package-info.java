/**
 * Takes commands from Kafka into orchestrator queues, each once. Read {@link io.sluice.relay.command.CommandIntake}
 * first.
 */
@NullMarked
package io.sluice.relay.command;

import org.jspecify.annotations.NullMarked;
