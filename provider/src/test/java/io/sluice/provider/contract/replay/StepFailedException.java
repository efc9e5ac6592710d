package io.sluice.provider.contract.replay;

/** An activity or a child failed; orchestration code may catch it. */
public final class StepFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the failure's text. */
    public StepFailedException(String message) {
        super(message);
    }
}
