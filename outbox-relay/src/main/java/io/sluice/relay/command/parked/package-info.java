/**
 * The topic of parked commands: its records, how an owner reads them, and which parts of the store do not answer. Read
 * {@link io.sluice.relay.command.parked.ParkedRecord} first.
 */
@NullMarked
package io.sluice.relay.command.parked;

import org.jspecify.annotations.NullMarked;
