package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.EvaluationException;
import io.sluice.emulator.query.value.JsonValues;

/** The number of TOP, OFFSET or LIMIT: a literal or a parameter, known when the query runs. */
public record RowCount(String clause, Expression value, int position) {
    private static final long MOST = 4294967295L;

    /** The value in this scope. */
    public long of(Scope scope) {
        return check(value.eval(scope));
    }

    /** The count, if it is one. */
    public long check(JsonNode count) {
        boolean isCount =
                count.isNumber() && JsonValues.isWhole(count) && count.longValue() >= 0 && count.longValue() <= MOST;
        if (!isCount) {
            throw new EvaluationException(
                    EvaluationException.COUNT_VALUE,
                    "The count value provided for " + clause + " must be an integer from 0 to " + MOST + ", was "
                            + (JsonValues.isUndefined(count) ? "undefined" : count),
                    position,
                    position + value.sql().length());
        }
        return count.longValue();
    }

    /** A count that is known. */
    public static RowCount literal(String clause, long count) {
        return new RowCount(clause, new Term.Literal(JsonValues.of(count)), 0);
    }
}
