package io.sluice.emulator.query;

import io.sluice.emulator.query.grammar.CosmosSqlParser;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.FromItem;
import io.sluice.emulator.query.tree.SelectQuery;
import io.sluice.emulator.query.tree.Term;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;

/** Builds one input of FROM or JOIN. */
final class FromItemBuilder {
    private final QueryContext context;
    private final boolean isFirst;

    FromItemBuilder(QueryContext context, boolean isFirst) {
        this.context = context;
        this.isFirst = isFirst;
    }

    FromItem build(CosmosSqlParser.FromItemContext item) {
        if (item instanceof CosmosSqlParser.FromIteratorContext iterator) {
            return build(iterator.collection(), iterator.identifier().getText(), true);
        }
        CosmosSqlParser.FromCollectionContext input = (CosmosSqlParser.FromCollectionContext) item;
        String alias = input.identifier() == null ? "" : input.identifier().getText();
        return build(input.collection(), alias, false);
    }

    /**
     * An input, whose elements are meant when it is iterated; without alias it has one from its path, if it has any.
     */
    private FromItem build(CosmosSqlParser.CollectionContext collection, String alias, boolean iterated) {
        if (collection instanceof CosmosSqlParser.CollectionPathContext path) {
            List<Expression> steps = path(path);
            String name =
                    alias.isEmpty() ? FromItem.implicitAlias(path.identifier().getText(), steps) : alias;
            return new FromItem(name, source(path), steps, iterated);
        }
        String name = alias.isEmpty() ? FromItem.UNNAMED : alias;
        return new FromItem(name, new FromItem.Source.Nested(query(collection)), List.of(), iterated);
    }

    /** A query in brackets, or the query that gives a function's value. */
    private SelectQuery query(CosmosSqlParser.CollectionContext collection) {
        QueryContext inside = isFirst ? context.firstInput() : context.nested();
        if (collection instanceof CosmosSqlParser.CollectionSubqueryContext subquery) {
            return new QueryBuilder(inside).build(subquery.query());
        }
        CosmosSqlParser.CollectionFunctionContext call = (CosmosSqlParser.CollectionFunctionContext) collection;
        return SelectQuery.ofValue(new PrimaryBuilder(inside, new ExpressionBuilder(inside))
                .call(call.functionName(), call.scalar(), call));
    }

    private FromItem.Source source(CosmosSqlParser.CollectionPathContext path) {
        String name = path.identifier().getText();
        if (isFirst && context.readsContainer()) {
            return new FromItem.Source.Documents(name);
        }
        if (!context.isVisible(name)) {
            throw QuerySyntaxException.at(
                    path, QuerySyntaxException.UNRESOLVED, "Identifier '" + name + "' could not be resolved.");
        }
        return new FromItem.Source.Alias(name);
    }

    private static List<Expression> path(CosmosSqlParser.CollectionPathContext path) {
        List<Expression> steps = new ArrayList<>();
        for (CosmosSqlParser.PathStepContext step : path.pathStep()) {
            if (step.identifier() != null) {
                steps.add(new Term.Literal(JsonValues.of(step.identifier().getText())));
            } else if (step.NUMBER() != null) {
                steps.add(new Term.Literal(Literals.number(step.NUMBER().getSymbol())));
            } else {
                steps.add(new Term.Literal(
                        JsonValues.of(Literals.text(step.STRING().getSymbol()))));
            }
        }
        return steps;
    }
}
