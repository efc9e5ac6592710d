/**
 * What a record of the commands topic says: the command, its identity and its headers; and what the metadata of its
 * committed offsets says. Pure. Read {@link io.sluice.relay.command.parse.CommandParser} first.
 */
@NullMarked
package io.sluice.relay.command.parse;

import org.jspecify.annotations.NullMarked;
