package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.InfixOperator;
import io.sluice.emulator.query.value.JsonValues;
import io.sluice.emulator.query.value.LikePattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A test of one value against others by a keyword: IN, BETWEEN or LIKE. */
public sealed interface Comparison extends Expression {
    /** {@code needle [NOT] IN (a, b)}. */
    record In(Expression needle, boolean negated, List<Expression> haystack) implements Comparison {
        public In {
            haystack = List.copyOf(haystack);
        }

        @Override
        public JsonNode eval(Scope scope) {
            JsonNode value = needle.eval(scope);
            if (JsonValues.isUndefined(value)) {
                return value;
            }
            boolean found = false;
            for (Expression candidate : haystack) {
                JsonNode other = candidate.eval(scope);
                found |= !JsonValues.isUndefined(other) && JsonValues.areEqual(value, other);
            }
            return JsonValues.of(found != negated);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('(');
            needle.render(sql);
            sql.append(negated ? " NOT IN (" : " IN (");
            Expression.renderAll(haystack, ", ", sql);
            sql.append("))");
        }

        @Override
        public List<Expression> children() {
            List<Expression> all = new ArrayList<>(haystack);
            all.add(needle);
            return all;
        }
    }

    /** {@code value [NOT] BETWEEN low AND high}: what the two comparisons give, joined by AND. */
    record Between(Expression value, boolean negated, Expression low, Expression high) implements Comparison {
        @Override
        public JsonNode eval(Scope scope) {
            JsonNode tested = value.eval(scope);
            JsonNode above = InfixOperator.GREATER_OR_EQUAL.apply(tested, low.eval(scope));
            JsonNode below = InfixOperator.LESS_OR_EQUAL.apply(tested, high.eval(scope));
            JsonNode both = Operation.Junction.and(new Term.Literal(above), new Term.Literal(below))
                    .eval(scope);
            return negated ? Operation.Prefix.NOT.apply(both) : both;
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('(');
            value.render(sql);
            sql.append(negated ? " NOT BETWEEN " : " BETWEEN ");
            low.render(sql);
            sql.append(" AND ");
            high.render(sql);
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            return List.of(value, low, high);
        }
    }

    /** {@code value [NOT] LIKE pattern [ESCAPE 'c']}. */
    record Like(
            Expression value,
            boolean negated,
            Expression pattern,
            @Nullable String escape) implements Comparison {
        @Override
        public JsonNode eval(Scope scope) {
            JsonNode text = value.eval(scope);
            JsonNode like = pattern.eval(scope);
            if (!text.isTextual() || !like.isTextual()) {
                return JsonValues.UNDEFINED;
            }
            return JsonValues.of(LikePattern.of(like.textValue(), escape).matches(text.textValue()) != negated);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('(');
            value.render(sql);
            sql.append(negated ? " NOT LIKE " : " LIKE ");
            pattern.render(sql);
            if (escape != null) {
                sql.append(" ESCAPE ").append(JsonValues.of(escape));
            }
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            return List.of(value, pattern);
        }
    }
}
