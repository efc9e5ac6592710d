package io.sluice.relay.command;

import org.jspecify.annotations.Nullable;

/**
 * The intake of commands as this replica sees it.
 *
 * @param queued commands in their queue, repetitions included
 * @param refused commands that became dead letters
 * @param trouble why none are taken, null while they are
 */
public record CommandStatus(
        long queued, long refused, @Nullable String trouble) {}
