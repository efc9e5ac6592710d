package io.sluice.durabletask.turn;

import java.time.Duration;
import java.util.Objects;

/**
 * A worker's answer that can't be committed. Nothing has been written. The message names the field; it never quotes
 * payloads.
 *
 * <p>The turn is to be abandoned for a {@linkplain #pause pause}, and worked on again. It is not given up: the same
 * code answers the same, but another release of it may not, and until then nothing of the instance is lost; a
 * termination gets through, too, for the code then asks for nothing else. What can be told to the code is not refused:
 * a task or child that is too large fails, and an output that is too large makes a failure of the execution.
 */
public final class RefusedResponseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final Pauses PAUSES = new Pauses(Duration.ofSeconds(1), Duration.ofMinutes(5));

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

    /**
     * For how long the turn is put off: a second at first, then twice as long each time, at last five minutes, since
     * every replay costs request units.
     *
     * @param attempts how often the turn was fetched, this time included
     */
    public static Duration pause(int attempts) {
        return PAUSES.after(attempts);
    }

    /** Of an answer that is larger than what is taken. */
    public static RefusedResponseException tooLarge(String message) {
        return new RefusedResponseException(Problem.RESOURCE_EXHAUSTED, message);
    }

    /** Of an answer that contradicts the turn or itself. */
    public static RefusedResponseException invalid(String message) {
        return new RefusedResponseException(Problem.INVALID_ARGUMENT, message);
    }
}
