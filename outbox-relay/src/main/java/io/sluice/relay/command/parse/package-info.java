/**
 * What a record of the commands topic says: the command, its identity and its headers. Pure. Read
 * {@link io.sluice.relay.command.parse.CommandParser} first.
 */
@NullMarked
package io.sluice.relay.command.parse;

import org.jspecify.annotations.NullMarked;
