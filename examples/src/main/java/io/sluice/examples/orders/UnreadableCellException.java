package io.sluice.examples.orders;

/** Why one line of an order book can't be taken; becomes a {@link RejectedLine}. */
final class UnreadableCellException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String column;
    private final String problem;
    private final String remedy;

    UnreadableCellException(String column, String problem, String remedy) {
        super(problem);
        this.column = column;
        this.problem = problem;
        this.remedy = remedy;
    }

    UnreadableCellException(String column, String problem, String remedy, Throwable cause) {
        this(column, problem, remedy);
        initCause(cause);
    }

    String column() {
        return column;
    }

    String problem() {
        return problem;
    }

    String remedy() {
        return remedy;
    }
}
