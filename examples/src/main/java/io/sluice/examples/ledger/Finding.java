package io.sluice.examples.ledger;

/** Something the ledger found to be wrong, and where. */
public record Finding(Kind kind, String where) {
    /** What can be wrong. */
    public enum Kind {
        /** Stored, but not on the topic. */
        MISSING,
        /** More than once on the topic. */
        DUPLICATE,
        /**
         * After an event of the same instance that comes later in its history, or in another partition than the others.
         */
        OUT_OF_ORDER,
        /** On the topic, but in no history of this run. */
        UNEXPECTED,
        /** On the topic with another content, key or id than it is stored with. */
        ALTERED,
        /** A sub-orchestration that was not started exactly once by its parent. */
        WRONG_START
    }

    @Override
    public String toString() {
        return kind + " " + where;
    }
}
