package io.sluice.relay;

import com.azure.cosmos.CosmosException;
import io.sluice.program.FailureReason;

/** Something outside of the relay keeps it from starting. The message says what, where, and what to do about it. */
public final class RelayStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what a refused connection or an answer of the store says. */
    public static RelayStartException of(RuntimeException cause) {
        return new RelayStartException(
                cause instanceof CosmosException ? FailureReason.of(cause) : String.valueOf(cause.getMessage()), cause);
    }

    /** With what to do about it. */
    public RelayStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
