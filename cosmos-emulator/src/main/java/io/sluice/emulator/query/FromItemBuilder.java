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
            if (iterator.collection() instanceof CosmosSqlParser.CollectionSubqueryContext subquery) {
                throw QuerySyntaxException.at(
                        subquery,
                        QuerySyntaxException.UNSUPPORTED,
                        "'IN' over a subquery is not supported; write JOIN (SELECT ...) AS alias.");
            }
            CosmosSqlParser.CollectionPathContext path = (CosmosSqlParser.CollectionPathContext) iterator.collection();
            return new FromItem(iterator.identifier().getText(), source(path), path(path), true);
        }
        CosmosSqlParser.FromCollectionContext input = (CosmosSqlParser.FromCollectionContext) item;
        String alias = input.identifier() == null ? "" : input.identifier().getText();
        if (input.collection() instanceof CosmosSqlParser.CollectionSubqueryContext subquery) {
            QueryContext inside = isFirst ? context.firstInput() : context.nested();
            SelectQuery query = new QueryBuilder(inside).build(subquery.query());
            return new FromItem(
                    alias.isEmpty() ? FromItem.UNNAMED : alias, new FromItem.Source.Nested(query), List.of(), false);
        }
        CosmosSqlParser.CollectionPathContext path = (CosmosSqlParser.CollectionPathContext) input.collection();
        List<Expression> steps = path(path);
        String name = alias.isEmpty() ? FromItem.implicitAlias(path.identifier().getText(), steps) : alias;
        return new FromItem(name, source(path), steps, false);
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
