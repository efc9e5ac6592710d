package io.sluice.relay.partition;

import java.time.Duration;

/** A request was not sent, because the store is away. */
public final class CircuitOpenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration delay;

    CircuitOpenException(Duration delay) {
        super("the store does not answer, it is asked again in " + delay.toMillis() + " ms", null, false, false);
        this.delay = delay;
    }

    /** How long to wait before the next request. */
    public Duration delay() {
        return delay;
    }
}
