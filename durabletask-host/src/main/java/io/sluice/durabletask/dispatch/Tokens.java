package io.sluice.durabletask.dispatch;

import io.grpc.Status;

/** Tokens that workers send. */
final class Tokens {
    private Tokens() {}

    /** The token, or INVALID_ARGUMENT. */
    static CompletionToken parse(String text) {
        try {
            return CompletionToken.parse(text);
        } catch (IllegalArgumentException e) {
            throw Status.INVALID_ARGUMENT
                    .withDescription(e.getMessage())
                    .withCause(e)
                    .asRuntimeException();
        }
    }
}
