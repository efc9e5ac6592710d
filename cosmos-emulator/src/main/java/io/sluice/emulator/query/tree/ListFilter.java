package io.sluice.emulator.query.tree;

import io.sluice.emulator.query.value.EvaluationException;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.Optional;

/**
 * What is left of a filter without its {@code ARRAY_CONTAINS(list, c.p)}, the list being the same for all documents. No
 * index answers such a call, so the service reads each document that the rest lets through, to ask it. Immutable.
 */
final class ListFilter {
    private final Expression rest;

    private ListFilter(Expression rest) {
        this.rest = rest;
    }

    /** Of a filter; empty when it has no such call. */
    static Optional<ListFilter> of(Expression filter) {
        Expression rest = without(filter, true);
        return rest.equals(filter) ? Optional.empty() : Optional.of(new ListFilter(rest));
    }

    /** Whether the rest lets a row through. */
    boolean letsThrough(Scope row) {
        try {
            return JsonValues.isTrue(rest.eval(row));
        } catch (EvaluationException failure) {
            // Perhaps of an operand that the filter itself does not come to.
            return true;
        }
    }

    /** The same with each such call answered so that most rows pass. */
    private static Expression without(Expression filter, boolean most) {
        if (filter instanceof Operation.Junction junction) {
            List<Expression> operands = junction.operands().stream()
                    .map(operand -> without(operand, most))
                    .toList();
            return new Operation.Junction(operands, junction.decisive());
        }
        if (filter instanceof Operation.Unary unary
                && unary.prefixes().stream().allMatch(prefix -> prefix == Operation.Prefix.NOT)) {
            boolean inverts = unary.prefixes().size() % 2 == 1;
            return new Operation.Unary(unary.prefixes(), without(unary.operand(), inverts != most));
        }
        return isOfList(filter) ? new Term.Literal(JsonValues.of(most)) : filter;
    }

    private static boolean isOfList(Expression filter) {
        return filter instanceof Invocation.FunctionCall call
                && call.function().name().equals("ARRAY_CONTAINS")
                && !readsDocument(call.arguments().get(0))
                && readsDocument(call.arguments().get(1));
    }

    private static boolean readsDocument(Expression expression) {
        return expression instanceof Term.Variable
                || expression instanceof Term.Path
                || expression instanceof Invocation
                || expression.children().stream().anyMatch(ListFilter::readsDocument);
    }
}
