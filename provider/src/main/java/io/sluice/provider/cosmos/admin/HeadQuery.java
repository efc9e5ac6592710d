package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.SchemaVersion;
import io.sluice.provider.request.SqlQuery;
import java.time.Instant;
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
            + " c.updatedAt, c." + SchemaVersion.FIELD + ", c." + InstanceDocument.EXT;
    private static final String TEXTS = ", c.output, c.customStatus, c.customStatusVersion";
    private static final String OUTPUT_LENGTH = "outputLength";
    private static final String STATUS_LENGTH = "customStatusLength";
    private static final String HAS_TEXTS = "hasTexts";
    private static final String LENGTHS = ", c.customStatusVersion, LENGTH(c.output) AS " + OUTPUT_LENGTH
            + ", LENGTH(c.customStatus) AS " + STATUS_LENGTH
            + ", ((IS_DEFINED(c.output) AND NOT IS_NULL(c.output))"
            + " OR (IS_DEFINED(c.customStatus) AND NOT IS_NULL(c.customStatus))) AS " + HAS_TEXTS;
    private static final String INSTANCES = " FROM c WHERE c.type = 'instance'";
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
     * The rows of these instances with their texts, as far as they still satisfy the conditions.
     *
     * @param instances few enough for one query
     */
    SqlQuery withTexts(List<String> instances) {
        return bound(SqlQuery.of("SELECT" + COLUMNS + TEXTS + INSTANCES + conditions))
                .andOneOf("c.instanceId", instances);
    }

    /** How long the texts of a row are together that was found by {@link #from} and lacks them. */
    static long characters(ObjectNode row) {
        return row.path(OUTPUT_LENGTH).asLong() + row.path(STATUS_LENGTH).asLong();
    }

    /** Whether such a row lacks texts: empty ones too, or what is none and may not be taken for none. */
    static boolean hasTexts(ObjectNode row) {
        return row.path(HAS_TEXTS).asBoolean();
    }

    private SqlQuery bound(SqlQuery sql) {
        parameters.forEach(sql::with);
        return sql;
    }

    /**
     * The first so many rows of one partition that were created at this time or behind it in the query's order, without
     * their texts.
     *
     * @param begin null for the query's own beginning
     */
    SqlQuery from(@Nullable Long begin, int most) {
        long from = begin != null && isAscending() ? Math.max(first(), begin) : first();
        long to = begin != null && !isAscending() ? Math.min(last(), begin) : last();
        return select(most, "c.createdAt <= @to", "c.createdAt " + (isAscending() ? "ASC" : "DESC"))
                .with("@from", from)
                .with("@to", to);
    }

    /**
     * The first so many rows of one partition that were created within this millisecond and whose ids come after this
     * one, by id, without their texts.
     */
    SqlQuery ofMoment(long createdAt, String afterId, int most) {
        return select(most, "c.createdAt < @to AND c.instanceId > @id", "c.instanceId ASC")
                .with("@from", Math.max(first(), createdAt))
                .with("@to", createdAt + 1)
                .with("@id", afterId);
    }

    /** The millisecond that follows this one in the query's order. */
    long behind(long createdAt) {
        return isAscending() ? createdAt + 1 : createdAt - 1;
    }

    private SqlQuery select(int most, String bound, String by) {
        return bound(SqlQuery.of("SELECT TOP " + most + COLUMNS + (query.withTexts() ? LENGTHS : "") + INSTANCES
                + " AND c.createdAt >= @from AND " + bound + conditions + " ORDER BY " + by));
    }

    private boolean isAscending() {
        return query.order() == InstanceQuery.Order.OLDEST_FIRST;
    }

    private long first() {
        return query.createdFrom() == null ? 0 : millisUp(query.createdFrom());
    }

    private long last() {
        return query.createdTo() == null ? LATEST : millis(query.createdTo());
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
