package io.sluice.provider.cosmos.request;

import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.util.ArrayList;
import java.util.List;

/** A query with its parameters. The text of one use is always the same, so that its plan can be cached. */
public final class SqlQuery {
    private final String text;
    private final List<SqlParameter> parameters = new ArrayList<>();

    private SqlQuery(String text) {
        this.text = text;
    }

    /** A query without parameters so far. */
    public static SqlQuery of(String text) {
        return new SqlQuery(text);
    }

    /** Gives a parameter (named with its {@code @}) a value: text, number, or a list of these. */
    public SqlQuery with(String name, Object value) {
        parameters.add(new SqlParameter(name, value));
        return this;
    }

    SqlQuerySpec spec() {
        return new SqlQuerySpec(text, parameters);
    }

    @Override
    public String toString() {
        return text;
    }
}
