package io.sluice.examples;

/** How the demo's process ends. */
enum ExitCode {
    /** Every event exactly once and in order, every order ended as the order book foresees. */
    EXACT(0),
    /** The ledger or the dead letters are not what they must be. */
    LEDGER_NOT_EXACT(1),
    /** Something could not be started or reached, or ended on the way; nothing was proved. */
    BROKEN_OFF(2),
    /** Not at its end within the time limit. */
    STUCK(3),
    /** The ledger is exact, but an order ended otherwise than the order book foresees. */
    WRONG_OUTCOME(4);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
