package io.sluice.accountkit.report;

/** What came of one assumption. */
public sealed interface Outcome {
    /** The account does what is assumed. */
    static Outcome holds(String measured) {
        return new Holds(measured);
    }

    /** The account does something else. */
    static Outcome differs(String measured) {
        return new Differs(measured);
    }

    /** Holds where it is so, else differs. */
    static Outcome of(boolean isAsAssumed, String measured) {
        return isAsAssumed ? holds(measured) : differs(measured);
    }

    /** Nothing was found out. */
    static Outcome notTried(String reason) {
        return new NotTried(reason);
    }

    /** As a reader of the table sees it: HOLDS, DIFFERS or NOT TRIED. */
    String word();

    /** What was measured, or why nothing was. */
    String detail();

    /** The same word with another text. */
    Outcome withDetail(String detail);

    /** See {@link #holds}. */
    record Holds(String detail) implements Outcome {
        @Override
        public String word() {
            return "HOLDS";
        }

        @Override
        public Outcome withDetail(String changed) {
            return new Holds(changed);
        }
    }

    /** See {@link #differs}. */
    record Differs(String detail) implements Outcome {
        @Override
        public String word() {
            return "DIFFERS";
        }

        @Override
        public Outcome withDetail(String changed) {
            return new Differs(changed);
        }
    }

    /** See {@link #notTried}. */
    record NotTried(String detail) implements Outcome {
        @Override
        public String word() {
            return "NOT TRIED";
        }

        @Override
        public Outcome withDetail(String changed) {
            return new NotTried(changed);
        }
    }
}
