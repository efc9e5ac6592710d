package io.sluice.relay.lifecycle;

/** A range must not be read from here without somebody's decision: going on would lose or repeat events. */
final class PositionRefused extends Exception {
    private static final long serialVersionUID = 1L;

    PositionRefused(String message) {
        super(message);
    }
}
