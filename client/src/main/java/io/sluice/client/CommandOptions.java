package io.sluice.client;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What goes with a command.
 *
 * @param commandId by which the command is carried out once, however often it is sent (for seven days after it was
 *     taken); null for a new UUID of version 7. Give one of your own when a crash of your process must not make you
 *     lose it
 * @param deadline from then on the command is rejected rather than queued; milliseconds, the rest is cut; null for none
 * @param traceparent W3C trace context; goes with the command into the store, and on to what it causes; null for none
 * @param tracestate what vendors add to it; null for none
 * @param correlationId handed back with the reply and kept on a dead letter; null for none
 * @param replyTimeout how long a reply is awaited; null for what the client was set up with
 */
public record CommandOptions(
        @Nullable String commandId,
        @Nullable Instant deadline,
        @Nullable String traceparent,
        @Nullable String tracestate,
        @Nullable String correlationId,
        @Nullable Duration replyTimeout) {
    /** Longest command id and correlation id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 4_096;

    /** A new id and nothing else. */
    public static final CommandOptions DEFAULT = new CommandOptions(null, null, null, null, null, null);

    /** @throws IllegalArgumentException naming what the relay would refuse, and why */
    public CommandOptions {
        CommandRules.header("commandId", commandId);
        CommandRules.deadline(deadline);
        CommandRules.trace(traceparent, tracestate);
        CommandRules.header("correlationId", correlationId);
        if (replyTimeout != null) {
            ClientConfig.mustBePositive("replyTimeout", replyTimeout);
        }
    }

    /** Only an id. */
    public static CommandOptions ofId(String commandId) {
        return DEFAULT.withId(commandId);
    }

    /** The same under this id. */
    public CommandOptions withId(String id) {
        return new CommandOptions(id, deadline, traceparent, tracestate, correlationId, replyTimeout);
    }

    /** The same until this time. */
    public CommandOptions withDeadline(Instant time) {
        return new CommandOptions(commandId, time, traceparent, tracestate, correlationId, replyTimeout);
    }

    /** The same as part of this trace. */
    public CommandOptions withTrace(String parent, @Nullable String state) {
        return new CommandOptions(commandId, deadline, parent, state, correlationId, replyTimeout);
    }

    /** The same as part of this work of yours. */
    public CommandOptions withCorrelationId(String id) {
        return new CommandOptions(commandId, deadline, traceparent, tracestate, id, replyTimeout);
    }

    /** The same, awaiting a reply for so long. */
    public CommandOptions withReplyTimeout(Duration timeout) {
        return new CommandOptions(commandId, deadline, traceparent, tracestate, correlationId, timeout);
    }
}
