package io.sluice.relay.delivery;

import java.time.Duration;

/** A request was not sent, because the store is away. */
final class CircuitOpenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration rest;

    CircuitOpenException(Duration rest) {
        super("the store is away, it is asked again in " + rest.toMillis() + " ms", null, false, false);
        this.rest = rest;
    }

    /** How long to wait before the next request. */
    Duration rest() {
        return rest;
    }
}
