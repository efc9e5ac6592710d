package io.sluice.emulator.query.value;

/**
 * A query failed while it was executed, with the service's error code: for example a division by zero, an invalid TOP,
 * OFFSET or LIMIT, or an unsupported function. Operations whose result is {@code undefined} do not throw.
 */
public final class EvaluationException extends RuntimeException {
    /** The code of a division by zero. */
    public static final String ARITHMETIC = "4001";
    /** The code of an invalid count of TOP, OFFSET or LIMIT. */
    public static final String COUNT_VALUE = "SC2060";
    /** The code of an unsupported function or construct. */
    public static final String UNSUPPORTED = "SC3100";

    private static final long serialVersionUID = 1L;
    private static final int NOWHERE = -1;

    private final String code;
    private final int start;
    private final int end;

    /** A failure without a position in the query's text. */
    public EvaluationException(String code, String message) {
        this(code, message, NOWHERE, NOWHERE);
    }

    /** A failure caused by the query's text from {@code start} to before {@code end}. */
    public EvaluationException(String code, String message, int start, int end) {
        super(message);
        this.code = code;
        this.start = start;
        this.end = end;
    }

    /** The service's code. */
    public String code() {
        return code;
    }

    /** Where it begins, in characters; -1 without a position. */
    public int start() {
        return start;
    }

    /** Where it ends; -1 for no one place. */
    public int end() {
        return end;
    }
}
