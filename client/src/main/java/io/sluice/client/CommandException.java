package io.sluice.client;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command was not sent, or its result is not known. Sending it again under the {@linkplain #commandId() same id} is
 * always safe: it is carried out once, and the reply is the same.
 */
public abstract sealed class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String commandId;
    private final boolean mayBeApplied;

    private CommandException(String commandId, boolean mayBeApplied, String message, @Nullable Throwable cause) {
        super(
                "command " + commandId + ' ' + message
                        + (mayBeApplied
                                ? "; it may still be applied, and can be repeated with the same id"
                                : "; it will not be applied"),
                cause);
        this.commandId = Objects.requireNonNull(commandId, "commandId");
        this.mayBeApplied = mayBeApplied;
    }

    /** The id of the command. */
    public String commandId() {
        return commandId;
    }

    /** Whether the command may have been carried out, or may be later; false when it certainly was not sent. */
    public boolean mayBeApplied() {
        return mayBeApplied;
    }

    /** Kafka did not take it, or did not say so. */
    public static final class NotSent extends CommandException {
        private static final long serialVersionUID = 1L;

        NotSent(String commandId, boolean mayBeApplied, Throwable cause) {
            super(commandId, mayBeApplied, "was not acknowledged by Kafka: " + cause.getMessage(), cause);
        }
    }

    /**
     * No reply came in time: the relay is stopped or slow, or the reply topic did not take its reply. Where this client
     * may not read the dead letters, the relay may also have refused the reply topic; the message says so.
     */
    public static final class NoReply extends CommandException {
        private static final long serialVersionUID = 1L;

        NoReply(String commandId, Duration waited, String why, @Nullable Throwable problem) {
            super(commandId, true, "had no reply within " + waited + why, problem);
        }
    }

    /** The client was closed. */
    public static final class Closed extends CommandException {
        private static final long serialVersionUID = 1L;

        Closed(String commandId, boolean mayBeApplied) {
            super(
                    commandId,
                    mayBeApplied,
                    mayBeApplied ? "lost its client before the reply" : "came after the client was closed",
                    null);
        }
    }
}
