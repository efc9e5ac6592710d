package io.sluice.accountkit.report;

/**
 * What came of one assumption.
 *
 * @param detail what was measured, or why nothing was
 */
public record Outcome(Result result, String detail) {
    /** In one word. */
    public enum Result {
        /** The account does what is assumed. */
        HOLDS("HOLDS"),
        /** The account does something else. */
        DIFFERS("DIFFERS"),
        /** Nothing was found out. */
        NOT_TRIED("NOT TRIED");

        private final String word;

        Result(String word) {
            this.word = word;
        }
    }

    /** The account does what is assumed. */
    public static Outcome holds(String measured) {
        return new Outcome(Result.HOLDS, measured);
    }

    /** The account does something else. */
    public static Outcome differs(String measured) {
        return new Outcome(Result.DIFFERS, measured);
    }

    /** Holds where it is so, else differs. */
    public static Outcome of(boolean isAsAssumed, String measured) {
        return isAsAssumed ? holds(measured) : differs(measured);
    }

    /** Nothing was found out. */
    public static Outcome notTried(String reason) {
        return new Outcome(Result.NOT_TRIED, reason);
    }

    /** As a reader of the table sees it: HOLDS, DIFFERS or NOT TRIED. */
    public String word() {
        return result.word;
    }

    /** The same word with another text. */
    Outcome withDetail(String changed) {
        return new Outcome(result, changed);
    }
}
