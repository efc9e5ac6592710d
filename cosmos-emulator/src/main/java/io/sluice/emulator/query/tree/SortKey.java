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

    /** True when the greatest comes first. */
    public boolean isDescending() {
        return direction == Direction.DESCENDING;
    }

    /** Writes it as it stands in ORDER BY. */
    public void render(StringBuilder sql) {
        expression.render(sql);
        sql.append(direction.suffix);
    }
}
