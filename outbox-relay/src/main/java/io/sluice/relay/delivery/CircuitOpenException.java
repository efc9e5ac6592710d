package io.sluice.relay.delivery;

import java.time.Duration;

/** Nothing was asked of the store: it is taken to be away. */
final class CircuitOpenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration rest;

    CircuitOpenException(Duration rest) {
        super("the store is away, it is asked again in " + rest.toMillis() + " ms", null, false, false);
        this.rest = rest;
    }

    /** When to come back. */
    Duration rest() {
        return rest;
    }
}
