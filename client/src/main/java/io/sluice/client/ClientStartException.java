package io.sluice.client;

import org.jspecify.annotations.Nullable;

/**
 * A client could not be opened: Kafka does not answer, or a topic is missing. The message says which and what to do;
 * nothing is left running.
 */
public final class ClientStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClientStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
