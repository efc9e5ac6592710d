package io.sluice.provider.cosmos.admin;

import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.SqlQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The query for instance documents in the store's language. Pure. */
final class HeadQuery {
    private static final String COLUMNS = " c.instanceId, c.orchestrationName, c.orchestrationVersion,"
            + " c.currentExecutionId, c.status, c.parentInstanceId, c.lockToken, c.lockedUntil, c.createdAt,"
            + " c.updatedAt, c." + InstanceDocument.EXT;
    private static final String TEXTS = ", c.output, c.customStatus, c.customStatusVersion";
    /** What 64 bits with a fraction hold exactly; far beyond any time. */
    private static final long LATEST = 1L << 53;

    private final InstanceQuery query;
    private final StringBuilder conditions = new StringBuilder();
    private final Map<String, Object> parameters = new LinkedHashMap<>();

    HeadQuery(InstanceQuery query) {
        this.query = query;
        if (!query.statuses().isEmpty()) {
            oneOf("c.status", List.copyOf(new TreeSet<>(query.statuses())));
        }
        if (query.idPrefix() != null && !query.idPrefix().isEmpty()) {
            conditions
                    .append(" AND STARTSWITH(c.instanceId, ")
                    .append(parameter(query.idPrefix()))
                    .append(')');
        }
        query.ext().forEach(this::add);
    }

    private void add(ExtCondition condition) {
        String path = "c." + InstanceDocument.EXT + "[\"" + condition.field() + "\"]";
        if (condition instanceof ExtCondition.OneOf oneOf) {
            oneOf(path, oneOf.values());
        } else if (condition instanceof ExtCondition.Between between) {
            conditions.append(" AND IS_NUMBER(").append(path).append(')');
            bound(path, ">=", between.least());
            bound(path, "<=", between.most());
        }
    }

    private void bound(String path, String comparison, @Nullable Long value) {
        if (value != null) {
            conditions
                    .append(" AND ")
                    .append(path)
                    .append(' ')
                    .append(comparison)
                    .append(' ')
                    .append(parameter(value));
        }
    }

    private void oneOf(String path, List<String> values) {
        StringJoiner names = new StringJoiner(", ", " AND " + path + " IN (", ")");
        values.forEach(value -> names.add(parameter(value)));
        conditions.append(names);
    }

    private String parameter(Object value) {
        String name = "@p" + parameters.size();
        parameters.put(name, value);
        return name;
    }

    /**
     * The first so many rows of one partition that were created at this time or behind it in the query's order.
     *
     * @param begin null for the query's own beginning
     */
    SqlQuery from(@Nullable Long begin, int most) {
        long from = query.createdFrom() == null ? 0 : millisUp(query.createdFrom());
        long to = query.createdTo() == null ? LATEST : millis(query.createdTo());
        boolean isAscending = query.order() == InstanceQuery.Order.OLDEST_FIRST;
        if (begin != null && isAscending) {
            from = Math.max(from, begin);
        } else if (begin != null) {
            to = Math.min(to, begin);
        }
        SqlQuery sql = SqlQuery.of("SELECT TOP " + most + COLUMNS + (query.withTexts() ? TEXTS : "")
                + " FROM c WHERE c.type = 'instance' AND c.createdAt >= @from AND c.createdAt <= @to" + conditions
                + " ORDER BY c.createdAt " + (isAscending ? "ASC" : "DESC"));
        sql.with("@from", from).with("@to", to);
        new ArrayList<>(parameters.entrySet()).forEach(parameter -> sql.with(parameter.getKey(), parameter.getValue()));
        return sql;
    }

    private static long millisUp(Instant time) {
        long millis = millis(time);
        return time.isAfter(Instant.ofEpochMilli(millis)) ? millis + 1 : millis;
    }

    /** Nothing is created before the epoch, nor that late. */
    private static long millis(Instant time) {
        if (time.isBefore(Instant.EPOCH)) {
            return -1;
        }
        return time.isAfter(Instant.ofEpochMilli(LATEST)) ? LATEST : time.toEpochMilli();
    }
}
