package io.sluice.relay.partition;

import java.util.Locale;

/** The states of the circuit breaker before the store. */
public enum CircuitState {
    /** Requests go to the store. */
    CLOSED,
    /** The store is away and gets no requests. */
    OPEN,
    /** One request at a time finds out whether the store is back. */
    HALF_OPEN;

    /** The name in JSON: {@code closed}, {@code open} or {@code half_open}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
