package io.sluice.provider.request;

/** Carries a failure from the wait to its classification. */
final class RequestFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    RequestFailedException(Throwable failure) {
        super(failure);
    }

    Throwable failure() {
        Throwable cause = getCause();
        return cause == null ? this : cause;
    }
}
