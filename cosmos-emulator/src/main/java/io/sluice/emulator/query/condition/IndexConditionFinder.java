package io.sluice.emulator.query.condition;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.tree.Comparison;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Invocation;
import io.sluice.emulator.query.tree.Operation;
import io.sluice.emulator.query.tree.Scope;
import io.sluice.emulator.query.tree.SelectQuery;
import io.sluice.emulator.query.tree.Term;
import io.sluice.emulator.query.value.EvaluationException;
import io.sluice.emulator.query.value.InfixOperator;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the conditions of a filter that an index can answer. It may overlook a condition, but every one it finds is
 * necessary.
 */
public final class IndexConditionFinder {
    private final SelectQuery query;
    private final Scope scope;

    /** @param scope with the parameters */
    public IndexConditionFinder(SelectQuery query, Scope scope) {
        this.query = query;
        this.scope = scope;
    }

    /** The necessary conditions of the filter. */
    public List<IndexCondition> conditions() {
        Expression filter = query.where();
        return filter == null || !readsDocuments() ? List.of() : of(filter);
    }

    /** Whether the conditions are the filter: a document passes when they hold. */
    public boolean isExact() {
        Expression filter = query.where();
        return filter == null || (readsDocuments() && isExact(filter));
    }

    private boolean isExact(Expression filter) {
        return filter instanceof Operation.Junction junction
                ? !junction.decisive() && junction.operands().stream().allMatch(this::isExact)
                : of(filter).size() == 1;
    }

    /** The path of an expression into the document, empty when it is not such a path. */
    public Optional<DocumentPath> pathOf(Expression expression) {
        return readsDocuments() ? Optional.ofNullable(path(expression)) : Optional.empty();
    }

    private boolean readsDocuments() {
        return !query.from().isEmpty() && query.from().get(0).isWholeDocument();
    }

    private List<IndexCondition> of(Expression filter) {
        if (filter instanceof Operation.Junction junction) {
            return junction.decisive() ? anyOf(junction.operands()) : allOf(junction.operands());
        }
        if (filter instanceof Operation.Chain chain && chain.links().size() == 1) {
            return comparison(chain.first(), chain.links().get(0));
        }
        if (filter instanceof Comparison.In in && !in.negated()) {
            return in(in);
        }
        if (filter instanceof Comparison.Between between && !between.negated()) {
            return between(between);
        }
        if (filter instanceof Operation.Unary unary && unary.prefixes().equals(List.of(Operation.Prefix.NOT))) {
            return not(unary.operand());
        }
        if (filter instanceof Invocation.FunctionCall call) {
            return call(call);
        }
        return point(path(filter), JsonValues.of(true));
    }

    private List<IndexCondition> allOf(List<Expression> operands) {
        List<IndexCondition> all = new ArrayList<>();
        for (Expression operand : operands) {
            for (IndexCondition condition : of(operand)) {
                narrowOrAdd(all, condition);
            }
        }
        return all;
    }

    private static void narrowOrAdd(List<IndexCondition> all, IndexCondition condition) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isNarrowedBy(condition)) {
                all.set(i, all.get(i).narrowed(condition));
                return;
            }
        }
        all.add(condition);
    }

    /** Conditions on a path for which every operand has one: the value lies in the ranges of one of them. */
    private List<IndexCondition> anyOf(List<Expression> operands) {
        List<List<IndexCondition>> each = operands.stream().map(this::of).toList();
        List<IndexCondition> common = new ArrayList<>();
        for (IndexCondition first : each.get(0)) {
            List<ValueRange> ranges = new ArrayList<>();
            boolean shared = true;
            for (List<IndexCondition> conditions : each) {
                Optional<IndexCondition> same = conditions.stream()
                        .filter(condition -> condition.path().equals(first.path()))
                        .findFirst();
                same.ifPresent(condition -> ranges.addAll(condition.ranges()));
                shared &= same.isPresent();
            }
            if (shared) {
                common.add(new IndexCondition(first.path(), ranges));
            }
        }
        return common;
    }

    private List<IndexCondition> comparison(Expression left, Operation.Chain.Link link) {
        DocumentPath path = path(left);
        JsonNode value = constant(link.operand());
        if (path != null && value != null) {
            return compared(path, link.operator(), value);
        }
        path = path(link.operand());
        value = constant(left);
        return path == null || value == null ? List.of() : compared(path, mirrored(link.operator()), value);
    }

    private static InfixOperator mirrored(InfixOperator operator) {
        return switch (operator) {
            case LESS -> InfixOperator.GREATER;
            case LESS_OR_EQUAL -> InfixOperator.GREATER_OR_EQUAL;
            case GREATER -> InfixOperator.LESS;
            case GREATER_OR_EQUAL -> InfixOperator.LESS_OR_EQUAL;
            default -> operator;
        };
    }

    private static List<IndexCondition> compared(DocumentPath path, InfixOperator operator, JsonNode value) {
        return switch (operator) {
            case EQUAL -> point(path, value);
            case LESS, LESS_OR_EQUAL -> range(path, null, value);
            case GREATER, GREATER_OR_EQUAL -> range(path, value, null);
            default -> List.of();
        };
    }

    private List<IndexCondition> in(Comparison.In in) {
        DocumentPath path = path(in.needle());
        if (path == null) {
            return List.of();
        }
        List<ValueRange> ranges = new ArrayList<>();
        for (Expression candidate : in.haystack()) {
            JsonNode value = constant(candidate);
            if (value == null) {
                return List.of();
            }
            if (!JsonValues.isUndefined(value)) {
                ranges.add(new ValueRange.Point(value));
            }
        }
        return List.of(new IndexCondition(path, ranges));
    }

    private List<IndexCondition> between(Comparison.Between between) {
        DocumentPath path = path(between.value());
        JsonNode low = constant(between.low());
        JsonNode high = constant(between.high());
        if (path == null || low == null || high == null) {
            return List.of();
        }
        return low.getNodeType() == high.getNodeType() ? range(path, low, high) : nothing(path);
    }

    private List<IndexCondition> not(Expression operand) {
        if (operand instanceof Invocation.FunctionCall call
                && call.function().name().equals("IS_DEFINED")) {
            DocumentPath path = path(call.arguments().get(0));
            return path == null
                    ? List.of()
                    : List.of(new IndexCondition(path, List.of(new ValueRange.Point(JsonValues.UNDEFINED))));
        }
        return point(path(operand), JsonValues.of(false));
    }

    private List<IndexCondition> call(Invocation.FunctionCall call) {
        DocumentPath path =
                call.arguments().isEmpty() ? null : path(call.arguments().get(0));
        if (path == null) {
            return List.of();
        }
        if (call.function().name().equals("IS_NULL")) {
            return point(path, JsonValues.NULL);
        }
        // With a third argument these compare otherwise.
        JsonNode value =
                call.arguments().size() == 2 ? constant(call.arguments().get(1)) : null;
        if (value == null) {
            return List.of();
        }
        return switch (call.function().name()) {
            case "ARRAY_CONTAINS" -> point(new DocumentPath(path.names(), true), value);
            case "STRINGEQUALS" -> value.isTextual() ? point(path, value) : nothing(path);
            case "STARTSWITH" ->
                value.isTextual()
                        ? List.of(new IndexCondition(path, List.of(new ValueRange.StartsWith(value.textValue()))))
                        : nothing(path);
            default -> List.of();
        };
    }

    private static List<IndexCondition> point(@Nullable DocumentPath path, JsonNode value) {
        if (path == null) {
            return List.of();
        }
        return JsonValues.isUndefined(value)
                ? nothing(path)
                : List.of(new IndexCondition(path, List.of(new ValueRange.Point(value))));
    }

    /** Values without order, and undefined, are neither less nor greater than anything. */
    private static List<IndexCondition> range(DocumentPath path, @Nullable JsonNode low, @Nullable JsonNode high) {
        ValueRange.Bounded range = new ValueRange.Bounded(low, high);
        return JsonValues.isPrimitive(range.example())
                ? List.of(new IndexCondition(path, List.of(range)))
                : nothing(path);
    }

    private static List<IndexCondition> nothing(DocumentPath path) {
        return List.of(new IndexCondition(path, List.of()));
    }

    private @Nullable DocumentPath path(Expression expression) {
        boolean ofDocument = expression instanceof Term.Path path
                && path.base().equals(new Term.Variable(query.from().get(0).alias()));
        if (!ofDocument) {
            return null;
        }
        List<String> names = new ArrayList<>();
        for (Expression step : ((Term.Path) expression).steps()) {
            boolean isName =
                    step instanceof Term.Literal literal && literal.value().isTextual();
            if (!isName) {
                return null;
            }
            names.add(((Term.Literal) step).value().textValue());
        }
        return DocumentPath.to(names);
    }

    /** The value of an expression that is the same for all documents, null when it may not be. */
    private @Nullable JsonNode constant(Expression expression) {
        if (!isConstant(expression)) {
            return null;
        }
        try {
            return expression.eval(scope);
        } catch (EvaluationException failure) {
            // The scan fails where, and only if, it comes to this expression.
            return null;
        }
    }

    private static boolean isConstant(Expression expression) {
        boolean mayBe = expression instanceof Operation
                || expression instanceof Term.Literal
                || expression instanceof Term.Parameter
                || expression instanceof Term.ArrayLiteral
                || expression instanceof Term.ObjectLiteral;
        return mayBe && expression.children().stream().allMatch(IndexConditionFinder::isConstant);
    }
}
