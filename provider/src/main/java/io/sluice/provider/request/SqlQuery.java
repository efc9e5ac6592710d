package io.sluice.provider.request;

import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * A query with its parameters. The text of one use within a partition is always the same, so that its plan can be
 * cached.
 */
public final class SqlQuery {
    /** What the client library puts together from what the partitions answer, and remembers from page to page. */
    private static final Pattern PUT_TOGETHER =
            Pattern.compile("\\b(TOP|DISTINCT|ORDER\\s+BY|GROUP\\s+BY|OFFSET)\\b|\\b(COUNT|SUM|MIN|MAX|AVG)\\s*\\(");

    private final String text;
    private final List<SqlParameter> parameters;

    private SqlQuery(String text, List<SqlParameter> parameters) {
        this.text = text;
        this.parameters = new ArrayList<>(parameters);
    }

    /** A query without parameters so far. */
    public static SqlQuery of(String text) {
        return new SqlQuery(text, List.of());
    }

    /** Gives a parameter (named with its {@code @}) a value: text, number, or a list of these. */
    public SqlQuery with(String name, Object value) {
        parameters.add(new SqlParameter(name, value));
        return this;
    }

    /**
     * Narrows a query that ends with its filter to what has one of these values at a path: see {@link #withEach}.
     *
     * @param values at least one, few enough for a query's text and parameters: 512 KB
     */
    public SqlQuery andOneOf(String path, List<?> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing has one of no values: " + path);
        }
        return new SqlQuery(text + " AND " + path + " IN (@oneOf)", parameters).withEach("@oneOf", values);
    }

    /**
     * The same query with a parameter for each of these values in place of the one of {@code c.path IN (@name)}. The
     * store looks them up in its index, one by one; an {@code ARRAY_CONTAINS} of a list is asked of every document that
     * the rest of the filter lets through.
     *
     * @param values texts or numbers, at least one, few enough for a query's text and parameters: 512 KB
     */
    public SqlQuery withEach(String name, List<?> values) {
        String place = "IN (" + name + ")";
        if (values.isEmpty() || !text.contains(place)) {
            throw new IllegalArgumentException("a query needs '" + place + "' and values for it, was: " + text);
        }
        StringJoiner names = new StringJoiner(", ", "IN (", ")");
        for (int i = 0; i < values.size(); i++) {
            names.add(name + i);
        }
        SqlQuery each = new SqlQuery(text.replace(place, names.toString()), parameters);
        for (int i = 0; i < values.size(); i++) {
            each.with(name + i, values.get(i));
        }
        return each;
    }

    /** Whether what follows a page can be asked for by the page's continuation, and is then what it would have been. */
    boolean isResumable() {
        return !PUT_TOGETHER.matcher(text).find();
    }

    SqlQuerySpec spec() {
        return new SqlQuerySpec(text, parameters);
    }

    @Override
    public String toString() {
        return text;
    }
}
