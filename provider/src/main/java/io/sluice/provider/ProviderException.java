package io.sluice.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A storage operation that failed. What a runtime may do next hangs on {@link #retryable()}: a retryable failure left
 * nothing behind that a repetition would trip over; a permanent one will not get better by repeating.
 */
public final class ProviderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final boolean retryable;

    /**
     * @param operation the contract's operation that failed, in camel case
     * @param message what was attempted, on which instance, and what to do
     * @param retryable whether repeating the call can succeed
     * @param cause what the store or the driver said
     */
    public ProviderException(String operation, String message, boolean retryable, @Nullable Throwable cause) {
        super(message, cause);
        this.operation = Objects.requireNonNull(operation, "operation");
        this.retryable = retryable;
    }

    /** A failure worth repeating. */
    public static ProviderException retryable(String operation, String message, @Nullable Throwable cause) {
        return new ProviderException(operation, message, true, cause);
    }

    /** A failure that a repetition does not cure. */
    public static ProviderException permanent(String operation, String message) {
        return new ProviderException(operation, message, false, null);
    }

    /** A failure that a repetition does not cure. */
    public static ProviderException permanent(String operation, String message, @Nullable Throwable cause) {
        return new ProviderException(operation, message, false, cause);
    }

    /** The contract's operation that failed, in camel case. */
    public String operation() {
        return operation;
    }

    /** Whether repeating the same call can succeed. */
    public boolean retryable() {
        return retryable;
    }
}
