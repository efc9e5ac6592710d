package io.sluice.examples.runtime;

import io.sluice.provider.history.ErrorDetails;

/** An activity or sub-orchestration that failed permanently, as orchestration code sees it. */
public final class StepFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ErrorDetails details;

    StepFailedException(ErrorDetails details) {
        super(details.text());
        this.details = details;
    }

    /** What the step reported. */
    public ErrorDetails details() {
        return details;
    }

    /** Whether the step says that trying it again makes sense. */
    public boolean retryable() {
        return Failures.retryable(details);
    }
}
