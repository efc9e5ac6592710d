package io.sluice.examples.runtime;

/**
 * Leaves orchestration code that waits for a result. An {@link Error}, so that code that catches exceptions does not
 * catch it.
 */
final class AwaitingResultError extends Error {
    private static final long serialVersionUID = 1L;

    AwaitingResultError() {
        super("waiting for a result", null, false, false);
    }
}
