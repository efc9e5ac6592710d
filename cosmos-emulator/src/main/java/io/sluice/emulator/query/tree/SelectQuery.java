package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.function.Aggregate;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A whole query, or one within another: its clauses, and how they follow each other when it runs. */
public record SelectQuery(
        Selection selection,
        List<FromItem> from,
        @Nullable Expression where,
        Grouping grouping,
        List<SortKey> orderBy,
        @Nullable Window window) {
    private static final Pattern NOT_DETERMINISTIC = Pattern.compile("RAND|NOW|AGO|GETCURRENT.*");

    /** Copies the lists. */
    public SelectQuery {
        from = List.copyOf(from);
        orderBy = List.copyOf(orderBy);
    }

    /** {@code SELECT VALUE expression}: one row. */
    public static SelectQuery ofValue(Expression expression) {
        Selection selection = new Selection(false, null, new Projection.Value(expression));
        return new SelectQuery(selection, List.of(), null, new Grouping(List.of(), List.of()), List.of(), null);
    }

    /** {@code SELECT [DISTINCT] [TOP n] projection}. */
    public record Selection(boolean distinct, @Nullable RowCount top, Projection projection) {}

    /** {@code GROUP BY keys}, and the aggregates of the whole query in the order of their slots. */
    public record Grouping(List<Expression> keys, List<Invocation.AggregateCall> aggregates) {
        public Grouping {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }

        public boolean isPresent() {
            return !keys.isEmpty() || !aggregates.isEmpty();
        }

        /** One scope for each group, in the order in which the groups were met; without keys always exactly one. */
        private List<Scope> groups(Scope outside, Stream<Scope> rows) {
            Map<List<JsonNode>, Group> groups = new LinkedHashMap<>();
            if (keys.isEmpty()) {
                groups.put(List.of(), new Group(outside, accumulators()));
            }
            rows.forEach(row -> groups.computeIfAbsent(keyOf(row), key -> new Group(row, accumulators()))
                    .add(row, aggregates));
            return groups.values().stream().map(Group::result).toList();
        }

        private List<JsonNode> keyOf(Scope row) {
            return keys.stream().map(key -> JsonValues.canonical(key.eval(row))).toList();
        }

        private List<Aggregate.Accumulator> accumulators() {
            return aggregates.stream()
                    .map(call -> call.aggregate().accumulator())
                    .toList();
        }
    }

    /** The first row of a group, for values that all its rows share, and the group's aggregates. */
    private record Group(Scope firstRow, List<Aggregate.Accumulator> accumulators) {
        void add(Scope row, List<Invocation.AggregateCall> calls) {
            for (int i = 0; i < calls.size(); i++) {
                accumulators.get(i).add(calls.get(i).argument().eval(row));
            }
        }

        Scope result() {
            List<JsonNode> results =
                    accumulators.stream().map(Aggregate.Accumulator::result).toList();
            return firstRow.withAggregates(results);
        }
    }

    /** {@code OFFSET n LIMIT m}. */
    public record Window(RowCount offset, RowCount limit) {}

    /** The results of a query within another. */
    Stream<JsonNode> run(Scope outside, Stream<? extends JsonNode> documents) {
        return run(outside, documents, () -> {});
    }

    /**
     * The results over these documents, in the order of the query; undefined results are left out. Lazy where it can
     * be.
     *
     * @param asked runs for each row that the service has to read and that gives no result: see {@link ListFilter}
     */
    public Stream<JsonNode> run(Scope outside, Stream<? extends JsonNode> documents, Runnable asked) {
        Stream<Scope> rows = rows(outside, documents);
        if (grouping.isPresent()) {
            Stream<Scope> ungrouped = filtered(rows, asked);
            rows = Stream.of(grouping).flatMap(by -> by.groups(outside, ungrouped).stream());
        } else {
            rows = orderBy.isEmpty() ? filtered(rows, asked) : sorted(rows, asked);
        }
        return results(rows, outside);
    }

    /**
     * The results over documents that come group by group in the order of the query, and within a group in any. For a
     * query without groups of its own. It takes no more of the groups than it needs.
     */
    public Stream<JsonNode> runInOrder(
            Scope outside, Stream<? extends Stream<? extends JsonNode>> groups, Runnable asked) {
        Stream<Scope> rows = groups.flatMap(group -> sorted(rows(outside, group), asked));
        return results(rows, outside);
    }

    /** Rows are asked in their order, and none behind the last result. */
    private Stream<Scope> sorted(Stream<Scope> rows, Runnable asked) {
        Optional<ListFilter> list = lists();
        return list.isPresent()
                ? filtered(sorted(rows.filter(list.get()::letsThrough)), asked)
                : sorted(filtered(rows, asked));
    }

    private Stream<Scope> sorted(Stream<Scope> rows) {
        return rows.map(row -> SortedRow.of(row, orderBy)).sorted().map(SortedRow::row);
    }

    private Stream<JsonNode> results(Stream<Scope> rows, Scope outside) {
        Stream<JsonNode> results =
                rows.map(selection.projection()::project).filter(result -> !JsonValues.isUndefined(result));
        if (selection.distinct() || grouping.isPresent()) {
            results = results.map(JsonValues::normalized);
        }
        if (selection.distinct()) {
            Set<JsonNode> seen = new HashSet<>();
            results = results.filter(result -> seen.add(JsonValues.canonical(result)));
        }
        return cut(results, outside);
    }

    private Stream<Scope> rows(Scope outside, Stream<? extends JsonNode> documents) {
        if (from.isEmpty()) {
            return Stream.of(outside);
        }
        Stream<Scope> rows = from.get(0).rows(outside, documents);
        for (FromItem joined : from.subList(1, from.size())) {
            rows = rows.flatMap(row -> joined.rows(row, Stream.empty()));
        }
        return rows;
    }

    private Optional<ListFilter> lists() {
        return Optional.ofNullable(where).flatMap(ListFilter::of);
    }

    private Stream<Scope> filtered(Stream<Scope> rows, Runnable asked) {
        Expression filter = where;
        if (filter == null) {
            return rows;
        }
        Optional<ListFilter> list = lists();
        return rows.filter(row -> {
            boolean passes = JsonValues.isTrue(filter.eval(row));
            if (list.isPresent()
                    && (!passes || grouping.isPresent())
                    && list.get().letsThrough(row)) {
                asked.run();
            }
            return passes;
        });
    }

    private Stream<JsonNode> cut(Stream<JsonNode> results, Scope outside) {
        Stream<JsonNode> cut = results;
        if (window != null) {
            cut = cut.skip(window.offset().of(outside)).limit(window.limit().of(outside));
        }
        RowCount top = selection.top();
        return top == null ? cut : cut.limit(top.of(outside));
    }

    /** How many rows it needs at most, {@link Long#MAX_VALUE} for all. */
    public long mostRows(Scope scope) {
        RowCount top = selection.top();
        if (top != null) {
            return top.of(scope);
        }
        return window == null
                ? Long.MAX_VALUE
                : window.offset().of(scope) + window.limit().of(scope);
    }

    /** True when each document's results depend on no other document. */
    public boolean isRowByRow() {
        boolean sourceIsRowByRow = from.stream()
                .limit(1)
                .allMatch(item -> item.nested().map(SelectQuery::isRowByRow).orElse(true));
        return !grouping.isPresent()
                && orderBy.isEmpty()
                && !selection.distinct()
                && selection.top() == null
                && window == null
                && sourceIsRowByRow;
    }

    /** True for {@code COUNT(constant)} over the documents, by a filter or all. */
    public boolean isCount() {
        return grouping.keys().isEmpty()
                && grouping.aggregates().size() == 1
                && grouping.aggregates().get(0).aggregate() == Aggregate.COUNT
                && grouping.aggregates().get(0).argument() instanceof Term.Literal
                && from.size() == 1
                && from.get(0).isWholeDocument();
    }

    /** True for {@code SELECT VALUE expression FROM alias} whose expression depends on nothing but the document. */
    public boolean isComputation() {
        return isRowByRow()
                && where == null
                && from.size() == 1
                && from.get(0).isWholeDocument()
                && selection.projection() instanceof Projection.Value value
                && isOfDocument(value.expression());
    }

    private static boolean isOfDocument(Expression expression) {
        boolean isSubquery = expression instanceof Invocation.Subquery;
        boolean isOfNow = expression instanceof Invocation.FunctionCall call
                && NOT_DETERMINISTIC.matcher(call.function().name()).matches();
        return !isSubquery
                && !isOfNow
                && !(expression instanceof Term.Parameter)
                && expression.children().stream().allMatch(SelectQuery::isOfDocument);
    }

    /** Writes text that parses to an equal query, but for the aliases of columns. */
    public void render(StringBuilder sql) {
        sql.append("SELECT ");
        sql.append(selection.distinct() ? "DISTINCT " : "");
        RowCount top = selection.top();
        if (top != null) {
            sql.append("TOP ");
            top.value().render(sql);
            sql.append(' ');
        }
        selection.projection().render(sql);
        renderFrom(sql);
        if (where != null) {
            sql.append("\nWHERE ");
            where.render(sql);
        }
        renderGroupBy(sql);
        renderOrderBy(sql);
        if (window != null) {
            sql.append("\nOFFSET ");
            window.offset().value().render(sql);
            sql.append(" LIMIT ");
            window.limit().value().render(sql);
        }
    }

    /** Writes FROM and its joins, if there are any. */
    public void renderFrom(StringBuilder sql) {
        String keyword = "\nFROM ";
        for (FromItem item : from) {
            sql.append(keyword);
            item.render(sql);
            keyword = "\nJOIN ";
        }
    }

    /** Writes GROUP BY, if there is one. */
    public void renderGroupBy(StringBuilder sql) {
        if (!grouping.keys().isEmpty()) {
            sql.append("\nGROUP BY ");
            Expression.renderAll(grouping.keys(), ", ", sql);
        }
    }

    /** Writes ORDER BY, if there is one. */
    public void renderOrderBy(StringBuilder sql) {
        String keyword = "\nORDER BY ";
        for (SortKey key : orderBy) {
            sql.append(keyword);
            key.render(sql);
            keyword = ", ";
        }
    }

    /** The expressions of the projection, whatever its form. */
    public List<Expression> projected() {
        List<Expression> all = new ArrayList<>();
        selection.projection().properties().forEach(property -> all.add(property.value()));
        return all;
    }
}
