package io.sluice.relay.command;

import org.jspecify.annotations.Nullable;

/**
 * The intake of commands as this replica sees it.
 *
 * @param queued commands in their queue, repetitions included
 * @param refused commands that became dead letters
 * @param unanswered replies that were given up, as their topics did not take them
 * @param trouble what keeps commands from being taken, of all partitions or of some; null for nothing
 */
public record CommandStatus(
        long queued,
        long refused,
        long unanswered,
        @Nullable String trouble) {}
