package io.sluice.relay.command;

/** A record that is no command, and why. */
final class BadCommand extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    BadCommand(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
