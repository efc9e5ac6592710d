package io.sluice.testkit.judge;

/** Something that is wrong, and where. */
public record Finding(Kind kind, String where) {
    /** What can be wrong. */
    public enum Kind {
        /** It should have come and did not. */
        LOST,
        /** It came more than once. */
        DUPLICATE,
        /** It came behind what comes later in its history, or in another partition. */
        OUT_OF_ORDER,
        /** It came with another content, key or id than it has. */
        ALTERED,
        /** It came, and nobody knows of it. */
        UNEXPECTED
    }

    @Override
    public String toString() {
        return kind + " " + where;
    }
}
