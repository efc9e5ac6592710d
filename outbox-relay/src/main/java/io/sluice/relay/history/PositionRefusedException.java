package io.sluice.relay.history;

/** A range must not be read from its position before an operator decides: events would be lost or repeated. */
final class PositionRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    PositionRefusedException(String message) {
        super(message);
    }
}
