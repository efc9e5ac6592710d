package io.sluice.provider.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a command was settled. */
public sealed interface CommandOutcome {
    /**
     * The command's message is, or was, in the queue.
     *
     * @param enqueuedAt milliseconds; the floor for the next command of the same key
     * @param now whether this very call put it there
     */
    record Accepted(long enqueuedAt, boolean now) implements CommandOutcome {}

    /** The command was given up: its receipt forbids it. */
    record Refused(String reason) implements CommandOutcome {}

    /** Try again later; a try whose answer was lost may have gone through, which the next one finds out. */
    record Transient(String error, @Nullable Duration retryAfter) implements CommandOutcome {}
}
