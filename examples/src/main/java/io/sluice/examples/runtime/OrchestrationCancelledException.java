package io.sluice.examples.runtime;

/** The instance was cancelled; thrown once, see {@link Step#await()}. */
public final class OrchestrationCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    OrchestrationCancelledException(String reason) {
        super("cancelled: " + reason);
        this.reason = reason;
    }

    /** Why, in the words of who cancelled. */
    public String reason() {
        return reason;
    }
}
