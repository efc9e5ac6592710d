package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;

/**
 * A scalar expression: a {@link Term}, an {@link Operation} on others, a {@link Comparison}, or an {@link Invocation}.
 */
public sealed interface Expression permits Term, Operation, Comparison, Invocation {
    /** The value in this scope; {@link JsonValues#UNDEFINED} where there is none. */
    JsonNode eval(Scope scope);

    /** Writes text that parses to an equal expression. */
    void render(StringBuilder sql);

    /** The expressions directly below this one. */
    List<Expression> children();

    default String sql() {
        StringBuilder sql = new StringBuilder();
        render(sql);
        return sql.toString();
    }

    /** Writes expressions side by side. */
    static void renderAll(List<? extends Expression> expressions, String separator, StringBuilder sql) {
        for (int i = 0; i < expressions.size(); i++) {
            if (i > 0) {
                sql.append(separator);
            }
            expressions.get(i).render(sql);
        }
    }
}
