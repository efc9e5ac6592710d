package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.query.function.Aggregate;
import io.sluice.emulator.query.function.BuiltIn;
import io.sluice.emulator.query.value.EvaluationException;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** A call by name: of a built-in function, of an aggregate, or of a query within the query. */
public sealed interface Invocation extends Expression {

    /** A built-in function and its arguments. */
    record FunctionCall(BuiltIn function, List<Expression> arguments) implements Invocation {
        public FunctionCall {
            arguments = List.copyOf(arguments);
        }

        @Override
        public JsonNode eval(Scope scope) {
            List<JsonNode> values = new ArrayList<>(arguments.size());
            for (Expression argument : arguments) {
                values.add(argument.eval(scope));
            }
            return function.call(values, scope.now());
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append(function.name()).append('(');
            Expression.renderAll(arguments, ", ", sql);
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            return arguments;
        }
    }

    /** An aggregate; the result of its group waits in the scope at {@code slot}. */
    record AggregateCall(Aggregate aggregate, Expression argument, int slot) implements Invocation {
        @Override
        public JsonNode eval(Scope scope) {
            return scope.aggregate(slot);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append(aggregate.name()).append('(');
            argument.render(sql);
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            return List.of(argument);
        }
    }

    /** What becomes of the rows of a query within an expression. */
    enum SubqueryKind {
        /** The one row; undefined when there is none. */
        SCALAR(""),
        /** True when there is a row. */
        EXISTS("EXISTS"),
        /** All rows as an array. */
        ARRAY("ARRAY");

        private final String keyword;

        SubqueryKind(String keyword) {
            this.keyword = keyword;
        }
    }

    /** A query within an expression, run on the aliases that are visible where it stands. */
    record Subquery(SubqueryKind kind, SelectQuery query) implements Invocation {
        @Override
        public JsonNode eval(Scope scope) {
            try (Stream<JsonNode> rows = query.run(scope, Stream.empty())) {
                Iterator<JsonNode> results = rows.iterator();
                return switch (kind) {
                    case SCALAR -> onlyOne(results);
                    case EXISTS -> JsonValues.of(results.hasNext());
                    case ARRAY -> toArray(results);
                };
            }
        }

        private static JsonNode onlyOne(Iterator<JsonNode> results) {
            if (!results.hasNext()) {
                return JsonValues.UNDEFINED;
            }
            JsonNode only = results.next();
            if (results.hasNext()) {
                throw new EvaluationException(
                        EvaluationException.UNSUPPORTED,
                        "The cardinality of a scalar subquery result set cannot be greater than one.");
            }
            return only;
        }

        private static JsonNode toArray(Iterator<JsonNode> results) {
            ArrayNode array = JsonValues.array();
            results.forEachRemaining(array::add);
            return array;
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append(kind.keyword).append('(');
            query.render(sql);
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            return List.of();
        }
    }
}
