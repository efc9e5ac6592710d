package io.sluice.emulator.query;

/** One expression of ORDER BY. */
record SortKey(Expression expression, Direction direction) {
    /** Which way; the default is kept apart only so that a rewritten query reads like the original. */
    enum Direction {
        DEFAULT(""),
        ASCENDING(" ASC"),
        DESCENDING(" DESC");

        private final String suffix;

        Direction(String suffix) {
            this.suffix = suffix;
        }
    }

    boolean isDescending() {
        return direction == Direction.DESCENDING;
    }

    void render(StringBuilder sql) {
        expression.render(sql);
        sql.append(direction.suffix);
    }
}
