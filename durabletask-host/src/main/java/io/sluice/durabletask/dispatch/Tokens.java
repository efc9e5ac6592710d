package io.sluice.durabletask.dispatch;

import io.grpc.Status;
import io.sluice.durabletask.worker.WorkKind;

/** Tokens that workers send. */
final class Tokens {
    private Tokens() {}

    /** The token, which must be one of this kind of work, or INVALID_ARGUMENT. */
    static CompletionToken parse(String text, WorkKind kind) {
        CompletionToken token = parse(text);
        if (token.kind() != kind) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("completionToken: expected one of "
                            + switch (kind) {
                                case TURN -> "a turn";
                                case ACTIVITY -> "an activity";
                            })
                    .asRuntimeException();
        }
        return token;
    }

    private static CompletionToken parse(String text) {
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
