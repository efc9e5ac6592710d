package io.sluice.relay.command;

import org.jspecify.annotations.Nullable;

/**
 * The intake of commands of this replica.
 *
 * @param queued commands in their queue, repetitions included
 * @param refused commands that became dead letters
 * @param unanswered replies that were given up, as their topics did not accept them
 * @param problem why commands are not taken, of all partitions or of some; null when they are
 */
public record CommandStatus(
        long queued,
        long refused,
        long unanswered,
        @Nullable String problem) {}
