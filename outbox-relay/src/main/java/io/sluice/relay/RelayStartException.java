package io.sluice.relay;

/** Something outside of the relay keeps it from starting. The message says what, where, and what to do about it. */
public final class RelayStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what to do about it. */
    public RelayStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
