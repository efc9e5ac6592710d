package io.sluice.emulator.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Operation;
import io.sluice.emulator.query.tree.Scope;
import io.sluice.emulator.query.tree.SelectQuery;
import io.sluice.emulator.query.tree.Term;
import io.sluice.emulator.query.value.InfixOperator;
import io.sluice.emulator.query.value.JsonValues;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds what a filter demands of one property of the document. */
final class EqualityFinder {
    private final SelectQuery query;
    private final Scope scope;

    EqualityFinder(SelectQuery query, Scope scope) {
        this.query = query;
        this.scope = scope;
    }

    Optional<JsonNode> constantOf(String path) {
        Expression filter = query.where();
        if (filter == null || query.from().isEmpty() || !query.from().get(0).isWholeDocument()) {
            return Optional.empty();
        }
        List<Expression> steps = Arrays.stream(path.split("/"))
                .filter(name -> !name.isEmpty())
                .<Expression>map(name -> new Term.Literal(JsonValues.of(unquoted(name))))
                .toList();
        return constantOf(new Term.Path(new Term.Variable(query.from().get(0).alias()), steps), filter);
    }

    /** A path may quote a name: {@code /"a b"}. */
    private static String unquoted(String name) {
        boolean isQuoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
        return isQuoted ? name.substring(1, name.length() - 1) : name;
    }

    private Optional<JsonNode> constantOf(Expression property, Expression filter) {
        if (filter instanceof Operation.Junction junction && !junction.decisive()) {
            return junction.operands().stream()
                    .map(operand -> constantOf(property, operand))
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        boolean isEquality = filter instanceof Operation.Chain chain
                && chain.links().size() == 1
                && chain.links().get(0).operator() == InfixOperator.EQUAL;
        if (!isEquality) {
            return Optional.empty();
        }
        Expression left = filter.children().get(0);
        Expression right = filter.children().get(1);
        if (left.equals(property)) {
            return constant(right);
        }
        return right.equals(property) ? constant(left) : Optional.empty();
    }

    private Optional<JsonNode> constant(Expression expression) {
        boolean isConstant = expression instanceof Term.Literal || expression instanceof Term.Parameter;
        return isConstant
                ? Optional.of(expression.eval(scope)).filter(value -> !JsonValues.isUndefined(value))
                : Optional.empty();
    }
}
