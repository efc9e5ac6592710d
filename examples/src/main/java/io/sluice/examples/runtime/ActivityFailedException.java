package io.sluice.examples.runtime;

/** Thrown by an activity to fail its step. */
public final class ActivityFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;

    /** @param retryable whether the orchestration should try again */
    public ActivityFailedException(String message, boolean retryable) {
        super(message);
        this.retryable = retryable;
    }

    boolean retryable() {
        return retryable;
    }
}
