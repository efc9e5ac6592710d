package io.sluice.examples.runtime;

/** Thrown by orchestration code to end its instance as failed. */
public final class OrchestrationFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message becomes the instance's output */
    public OrchestrationFailedException(String message) {
        super(message);
    }

    /** @param message becomes the instance's output */
    public OrchestrationFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
