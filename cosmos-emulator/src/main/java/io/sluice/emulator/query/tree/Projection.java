package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What SELECT makes of a row. */
public sealed interface Projection {
    /** The result of a row; undefined for none. */
    JsonNode project(Scope row);

    /** Writes it as it stands behind SELECT. */
    void render(StringBuilder sql);

    /** The named parts; one without a name for the forms that make one value. */
    List<Term.Property> properties();

    /** The whole result as one expression. */
    Expression asExpression();

    /** {@code SELECT *}: the value of the only alias. */
    record Star(String alias) implements Projection {
        @Override
        public JsonNode project(Scope row) {
            return row.variable(alias);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('*');
        }

        @Override
        public List<Term.Property> properties() {
            return List.of(new Term.Property("", asExpression()));
        }

        @Override
        public Expression asExpression() {
            return new Term.Variable(alias);
        }
    }

    /** {@code SELECT VALUE expression}. */
    record Value(Expression expression) implements Projection {
        @Override
        public JsonNode project(Scope row) {
            return expression.eval(row);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append("VALUE ");
            expression.render(sql);
        }

        @Override
        public List<Term.Property> properties() {
            return List.of(new Term.Property("", expression));
        }

        @Override
        public Expression asExpression() {
            return expression;
        }
    }

    /** {@code SELECT a, b AS c}: an object; undefined values are left out. */
    record Columns(List<Term.Property> properties, Term.ObjectLiteral object) implements Projection {
        public static Columns of(List<Term.Property> properties) {
            return new Columns(List.copyOf(properties), new Term.ObjectLiteral(properties));
        }

        @Override
        public JsonNode project(Scope row) {
            return object.eval(row);
        }

        /** As VALUE of an object, for a name such as {@code $1} cannot be written as an alias. */
        @Override
        public void render(StringBuilder sql) {
            sql.append("VALUE ");
            object.render(sql);
        }

        @Override
        public Expression asExpression() {
            return object;
        }
    }
}
