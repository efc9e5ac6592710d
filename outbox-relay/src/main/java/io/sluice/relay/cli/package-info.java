/**
 * The verbs of the command line that inspect relays and change what they use; the commands that run a relay are with
 * {@link io.sluice.relay.cli.Main}. Read {@link io.sluice.relay.cli.DeadLettersCommand} first.
 */
@NullMarked
package io.sluice.relay.cli;

import org.jspecify.annotations.NullMarked;
