package io.sluice.emulator.query;

import io.sluice.emulator.query.function.Aggregate;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Invocation;
import io.sluice.emulator.query.tree.Projection;
import io.sluice.emulator.query.tree.RowCount;
import io.sluice.emulator.query.tree.Scope;
import io.sluice.emulator.query.tree.SelectQuery;
import io.sluice.emulator.query.tree.SortKey;
import io.sluice.emulator.query.tree.Term;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans a query over several partitions: what the client does, and the query rewritten so that each partition's answer
 * can be merged. The shapes are those the service writes and the SDKs expect.
 */
final class QueryPlanner {
    private static final String UNORDERED = "Unordered";
    private static final String ORDERED = "Ordered";
    private static final int NO_POSITION = 0;

    private final SelectQuery query;
    private final Scope scope;
    private final QueryPlan.Draft draft = new QueryPlan.Draft();

    QueryPlanner(SelectQuery query, Scope scope) {
        this.query = query;
        this.scope = scope;
    }

    QueryPlan plan() {
        Projection projection = query.selection().projection();
        draft.hasSelectValue = projection instanceof Projection.Value;
        Optional<SelectQuery> counted = distinctlyCounted();
        if (counted.isPresent()) {
            planDistinctCount(counted.get());
            return draft.finish();
        }
        query.from().stream().limit(1).forEach(item -> item.nested().ifPresent(QueryPlanner::requireRowByRow));
        planCuts();
        if (query.grouping().isPresent()) {
            planGroups();
        } else {
            planDistinct();
            planOrder();
            rewriteWindow();
        }
        return draft.finish();
    }

    private void planCuts() {
        RowCount top = query.selection().top();
        if (top != null) {
            draft.top = top.of(scope);
            draft.requiredFeatures.add("Top");
        }
        SelectQuery.Window window = query.window();
        if (window != null) {
            draft.offset = window.offset().of(scope);
            draft.limit = window.limit().of(scope);
            draft.requiredFeatures.add("OffsetAndLimit");
        }
    }

    private void planDistinct() {
        if (!query.selection().distinct()) {
            return;
        }
        draft.requiredFeatures.add("Distinct");
        List<Expression> sorted =
                query.orderBy().stream().map(SortKey::expression).toList();
        boolean equalOnesMeet = !sorted.isEmpty() && sorted.containsAll(query.projected());
        draft.distinctType = equalOnesMeet ? ORDERED : UNORDERED;
        boolean isCut = query.selection().top() != null || query.window() != null;
        if (isCut && query.orderBy().isEmpty()) {
            draft.rewrittenQuery = QueryWriter.uncut(query);
        }
    }

    private void planOrder() {
        if (query.orderBy().isEmpty()) {
            return;
        }
        draft.requiredFeatures.add(query.orderBy().size() == 1 ? "OrderBy" : "MultipleOrderBy");
        draft.orderBy = query.orderBy().stream()
                .map(key -> key.isDescending() ? "Descending" : "Ascending")
                .toList();
        draft.orderByExpressions =
                query.orderBy().stream().map(key -> key.expression().sql()).toList();
        draft.rewrittenQuery = QueryWriter.ordered(query, draft.top, most());
    }

    /** A partition must also return rows that will be skipped: only the client knows which rows come first. */
    private void rewriteWindow() {
        Long most = most();
        if (most != null && draft.rewrittenQuery.isEmpty()) {
            draft.rewrittenQuery = QueryWriter.windowed(query, most);
        }
    }

    private @Nullable Long most() {
        Long skipped = draft.offset;
        Long kept = draft.limit;
        return skipped == null || kept == null ? null : Long.valueOf(skipped + kept);
    }

    private void planGroups() {
        SelectQuery.Grouping grouping = query.grouping();
        if (query.selection().distinct()) {
            throw unsupported("'DISTINCT' with GROUP BY or aggregates is not supported over several partitions.");
        }
        grouping.aggregates().stream()
                .filter(call -> call.aggregate() == Aggregate.COUNTIF)
                .findFirst()
                .ifPresent(call -> draft.requiredFeatures.add("CountIf"));
        draft.groupByExpressions = grouping.keys().stream().map(Expression::sql).toList();
        if (!grouping.keys().isEmpty()) {
            draft.requiredFeatures.add("GroupBy");
        }
        if (query.selection().projection() instanceof Projection.Value value) {
            planGroupedValue(value.expression());
        } else {
            planGroupedColumns(query.selection().projection().properties());
        }
    }

    private void planGroupedValue(Expression value) {
        if (value instanceof Invocation.AggregateCall call) {
            draft.aggregates = List.of(call.aggregate().planName());
            draft.requiredFeatures.add("Aggregate");
        } else {
            requirePlain(value);
        }
        draft.rewrittenQuery = QueryWriter.groupedValue(query, value);
    }

    private void planGroupedColumns(List<Term.Property> columns) {
        Map<String, @Nullable String> types = new LinkedHashMap<>();
        for (Term.Property column : columns) {
            if (column.value() instanceof Invocation.AggregateCall call) {
                types.put(column.name(), call.aggregate().planName());
            } else {
                requirePlain(column.value());
                types.put(column.name(), null);
            }
        }
        draft.groupByAliasToAggregateType = types;
        draft.groupByAliases = List.copyOf(types.keySet());
        draft.requiredFeatures.add(columns.size() > 1 ? "MultipleAggregates" : "NonValueAggregate");
        draft.rewrittenQuery = QueryWriter.groupedColumns(query, columns);
    }

    private static void requirePlain(Expression expression) {
        if (expression instanceof Invocation.AggregateCall) {
            throw unsupported("Compositions of aggregates and other expressions are not allowed.");
        }
        expression.children().forEach(QueryPlanner::requirePlain);
    }

    private static void requireRowByRow(SelectQuery inner) {
        if (!inner.isRowByRow()) {
            throw unsupported("A subquery in FROM with DISTINCT, TOP, ORDER BY, OFFSET, GROUP BY or an aggregate is not"
                    + " supported over several partitions.");
        }
    }

    /** The inner query of {@code SELECT COUNT(1) FROM (SELECT DISTINCT ...)}: clients count distinct results so. */
    private Optional<SelectQuery> distinctlyCounted() {
        boolean countsAll = query.grouping().keys().isEmpty()
                && query.projected().size() == 1
                && query.projected().get(0) instanceof Invocation.AggregateCall call
                && call.aggregate() == Aggregate.COUNT
                && call.argument() instanceof Term.Literal;
        boolean isBare = query.where() == null
                && query.window() == null
                && query.selection().top() == null
                && query.from().size() == 1;
        if (!countsAll || !isBare) {
            return Optional.empty();
        }
        return query.from().get(0).nested().filter(QueryPlanner::isPlainDistinct);
    }

    private static boolean isPlainDistinct(SelectQuery inner) {
        boolean isUncut = inner.selection().top() == null && inner.window() == null;
        return inner.selection().distinct()
                && isUncut
                && inner.orderBy().isEmpty()
                && !inner.grouping().isPresent();
    }

    private void planDistinctCount(SelectQuery inner) {
        inner.from().stream().limit(1).forEach(item -> item.nested().ifPresent(QueryPlanner::requireRowByRow));
        String column = query.selection().projection().properties().get(0).name();
        // An unnamed column is $1 to clients by themselves.
        draft.dCountAlias = column.startsWith("$") ? "" : column;
        draft.distinctType = UNORDERED;
        draft.requiredFeatures.add("DCount");
        draft.rewrittenQuery = QueryWriter.uncut(inner);
    }

    private static QuerySyntaxException unsupported(String message) {
        return new QuerySyntaxException(QuerySyntaxException.UNSUPPORTED, message, NO_POSITION, NO_POSITION);
    }
}
