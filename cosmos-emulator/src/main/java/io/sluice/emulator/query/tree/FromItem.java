package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** One input of FROM or JOIN: where it starts, the path from there, and whether its elements are meant. */
public record FromItem(String alias, Source source, List<Expression> path, boolean isIterated) {
    /** Copies the path. */
    public FromItem {
        path = List.copyOf(path);
    }

    /** Where an input starts. */
    public sealed interface Source {
        /** The documents of the container, under the name the query gives it. */
        record Documents(String name) implements Source {}

        /** An alias from further left or from a query around this one. */
        record Alias(String name) implements Source {}

        /** The results of a query. */
        record Nested(SelectQuery query) implements Source {}
    }

    /** The rows that this input makes of one row; a path that leads nowhere makes none. */
    public Stream<Scope> rows(Scope row, Stream<? extends JsonNode> documents) {
        if (source instanceof Source.Documents) {
            return documents.flatMap(document -> bind(row.with(Scope.DOCUMENT, document), document));
        }
        if (source instanceof Source.Alias start) {
            return bind(row, row.variable(start.name()));
        }
        return nested().orElseThrow().run(row, documents).flatMap(result -> bind(row, result));
    }

    private Stream<Scope> bind(Scope row, JsonNode start) {
        JsonNode value = start;
        for (Expression step : path) {
            value = Term.Path.step(value, step.eval(row));
        }
        if (isIterated) {
            return value.isArray()
                    ? StreamSupport.stream(value.spliterator(), false).map(element -> row.with(alias, element))
                    : Stream.empty();
        }
        return JsonValues.isUndefined(value) ? Stream.empty() : Stream.of(row.with(alias, value));
    }

    /** The query whose results are the input. */
    public Optional<SelectQuery> nested() {
        return source instanceof Source.Nested nested ? Optional.of(nested.query()) : Optional.empty();
    }

    /** True when the alias stands for the document itself. */
    public boolean isWholeDocument() {
        return source instanceof Source.Documents && path.isEmpty() && !isIterated;
    }

    /** Writes it as it stands behind FROM or JOIN. */
    public void render(StringBuilder sql) {
        if (isIterated) {
            sql.append(alias).append(" IN ");
        }
        if (source instanceof Source.Nested nested) {
            sql.append("(\n");
            nested.query().render(sql);
            sql.append(')');
        } else {
            sql.append(source instanceof Source.Documents documents ? documents.name() : aliasName());
        }
        Term.Path.renderSteps(path, sql);
        if (!isIterated && !alias.equals(implicitAlias())) {
            sql.append(" AS ").append(alias);
        }
    }

    private String aliasName() {
        return source instanceof Source.Alias start ? start.name() : alias;
    }

    /** The alias an input without one has: the last name of its path. */
    private String implicitAlias() {
        if (source instanceof Source.Nested) {
            return UNNAMED;
        }
        String name = source instanceof Source.Documents documents ? documents.name() : aliasName();
        return implicitAlias(name, path);
    }

    /** The alias of an input without one: the last name of its path. */
    public static String implicitAlias(String name, List<Expression> path) {
        if (path.isEmpty()) {
            return name;
        }
        boolean isNamed = path.get(path.size() - 1) instanceof Term.Literal last && Names.isPlain(last.value());
        return isNamed ? ((Term.Literal) path.get(path.size() - 1)).value().textValue() : UNNAMED;
    }

    /** The alias of an input that has no name; no query can write it. */
    public static final String UNNAMED = "$unnamed";
}
