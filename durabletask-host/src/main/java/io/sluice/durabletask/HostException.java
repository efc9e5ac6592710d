package io.sluice.durabletask;

/** A host that can't start; the message says what to do. */
public final class HostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HostException(String message, Throwable cause) {
        super(message, cause);
    }
}
