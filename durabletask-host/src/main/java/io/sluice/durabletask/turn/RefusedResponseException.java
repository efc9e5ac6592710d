package io.sluice.durabletask.turn;

import java.util.Objects;

/**
 * A worker's answer that can't be committed. Nothing has been written. The message names the field; it never quotes
 * payloads.
 */
public final class RefusedResponseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Problem problem;

    RefusedResponseException(Problem problem, String message) {
        super(message);
        this.problem = Objects.requireNonNull(problem, "problem");
    }

    /** What kind of fault it is, under the names of gRPC's codes. */
    public enum Problem {
        /** The answer contradicts the turn or itself. */
        INVALID_ARGUMENT,
        /** Something in it is larger than the store holds. */
        RESOURCE_EXHAUSTED,
        /** It asks for what this host does not offer. */
        UNIMPLEMENTED
    }

    /** The kind of the fault. */
    public Problem problem() {
        return problem;
    }

    static RefusedResponseException invalid(String message) {
        return new RefusedResponseException(Problem.INVALID_ARGUMENT, message);
    }
}
