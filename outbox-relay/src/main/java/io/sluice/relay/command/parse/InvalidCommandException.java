package io.sluice.relay.command.parse;

/** A record is not a valid command; the reason is for its sender. */
public final class InvalidCommandException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    InvalidCommandException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
