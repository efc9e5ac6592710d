/**
 * The verbs of the command line that look at relays and change something beside them; what runs a relay stands with {@link io.sluice.relay.Main}. Read
 * {@link io.sluice.relay.cli.DeadLettersCommand} first.
 */
@NullMarked
package io.sluice.relay.cli;

import org.jspecify.annotations.NullMarked;
