package io.sluice.emulator.query.tree;

/** One expression of ORDER BY. */
public record SortKey(Expression expression, Direction direction) {
    /** Which way; the default is kept apart only so that a rewritten query reads like the original. */
    public enum Direction {
        DEFAULT(""),
        ASCENDING(" ASC"),
        DESCENDING(" DESC");

        private final String suffix;

        Direction(String suffix) {
            this.suffix = suffix;
        }
    }

    public boolean isDescending() {
        return direction == Direction.DESCENDING;
    }

    public void render(StringBuilder sql) {
        expression.render(sql);
        sql.append(direction.suffix);
    }
}
