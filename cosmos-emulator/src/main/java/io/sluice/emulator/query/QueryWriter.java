package io.sluice.emulator.query;

import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Invocation;
import io.sluice.emulator.query.tree.Projection;
import io.sluice.emulator.query.tree.RowCount;
import io.sluice.emulator.query.tree.SelectQuery;
import io.sluice.emulator.query.tree.SortKey;
import io.sluice.emulator.query.tree.Term;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the queries a client sends to each partition. */
final class QueryWriter {
    /** What an SDK replaces by {@code true} at first and by the place it has reached when it resumes. */
    private static final String RESUME_FILTER = "({documentdb-formattableorderbyquery-filter})";

    private QueryWriter() {}

    /** The query without TOP and without OFFSET LIMIT. */
    static String uncut(SelectQuery query) {
        return sql(with(query, null));
    }

    /** The query with its first rows only; those that it skips come too. */
    static String windowed(SelectQuery query, long most) {
        RowCount none = RowCount.literal("OFFSET", 0);
        return sql(with(query, new SelectQuery.Window(none, RowCount.literal("LIMIT", most))));
    }

    private static SelectQuery with(SelectQuery query, SelectQuery.@Nullable Window window) {
        SelectQuery.Selection selection = new SelectQuery.Selection(
                query.selection().distinct(), null, query.selection().projection());
        return new SelectQuery(selection, query.from(), query.where(), query.grouping(), query.orderBy(), window);
    }

    private static String sql(SelectQuery query) {
        StringBuilder sql = new StringBuilder();
        query.render(sql);
        return sql.toString();
    }

    /** Resource id, the values that are sorted by, and the result; cut only where a cut loses no distinct result. */
    static String ordered(SelectQuery query, @Nullable Long top, @Nullable Long most) {
        boolean canCut = !query.selection().distinct();
        StringBuilder sql = new StringBuilder("SELECT ");
        if (top != null && canCut) {
            sql.append("TOP ").append(top).append(' ');
        }
        sql.append(query.from().get(0).alias()).append("._rid, [");
        String separator = "";
        for (SortKey key : query.orderBy()) {
            sql.append(separator).append(item(key.expression().sql()));
            separator = ", ";
        }
        Expression payload = query.selection().projection().asExpression();
        sql.append("] AS orderByItems, ").append(payload.sql()).append(" AS payload");
        query.renderFrom(sql);
        sql.append("\nWHERE ").append(resumable(query, payload));
        query.renderOrderBy(sql);
        if (most != null && canCut) {
            sql.append("\nOFFSET 0 LIMIT ").append(most);
        }
        return sql.toString();
    }

    /** A VALUE that is undefined is no result, so that its row must not come at all. */
    private static String resumable(SelectQuery query, Expression payload) {
        Expression where = query.where();
        String filter = where == null ? RESUME_FILTER : "(" + where.sql() + " AND " + RESUME_FILTER + ")";
        boolean isValue = query.selection().projection() instanceof Projection.Value;
        return isValue ? "(" + filter + " AND IS_DEFINED(" + payload.sql() + "))" : filter;
    }

    static String groupedValue(SelectQuery query, Expression value) {
        String payload = value instanceof Invocation.AggregateCall call ? "[" + partial(call) + "]" : value.sql();
        boolean hasKeys = !query.grouping().keys().isEmpty();
        return grouped(query, hasKeys ? groupByItems(query) + payload + " AS payload" : "VALUE " + payload);
    }

    static String groupedColumns(SelectQuery query, List<Term.Property> columns) {
        List<String> parts = new ArrayList<>();
        for (Term.Property column : columns) {
            boolean isAggregate = column.value() instanceof Invocation.AggregateCall;
            String value = isAggregate
                    ? partial((Invocation.AggregateCall) column.value())
                    : column.value().sql();
            parts.add(JsonValues.of(column.name()) + ": " + value);
        }
        boolean hasKeys = !query.grouping().keys().isEmpty();
        String payload = "{" + String.join(", ", parts) + "} AS payload";
        return grouped(query, hasKeys ? groupByItems(query) + payload : payload);
    }

    private static String grouped(SelectQuery query, String selection) {
        StringBuilder sql = new StringBuilder("SELECT ").append(selection);
        query.renderFrom(sql);
        if (query.where() != null) {
            sql.append("\nWHERE ").append(query.where().sql());
        }
        query.renderGroupBy(sql);
        return sql.toString();
    }

    private static String groupByItems(SelectQuery query) {
        List<String> items =
                query.grouping().keys().stream().map(key -> item(key.sql())).toList();
        return "[" + String.join(", ", items) + "] AS groupByItems, ";
    }

    /** What a partition answers for an aggregate, such that those of several partitions can be combined. */
    private static String partial(Invocation.AggregateCall call) {
        String argument = call.argument().sql();
        String whole = call.aggregate() + "(" + argument + ")";
        String count = "COUNT(" + argument + ")";
        return switch (call.aggregate()) {
            case COUNT, COUNTIF, SUM -> item(whole);
            case AVG -> item("{\"sum\": SUM(" + argument + "), \"count\": " + count + "}");
            case MIN -> "{\"item\": " + whole + ", \"item2\": {\"min\": " + whole + ", \"count\": " + count + "}}";
            case MAX -> "{\"item\": " + whole + ", \"item2\": {\"max\": " + whole + ", \"count\": " + count + "}}";
        };
    }

    private static String item(String value) {
        return "{\"item\": " + value + "}";
    }
}
