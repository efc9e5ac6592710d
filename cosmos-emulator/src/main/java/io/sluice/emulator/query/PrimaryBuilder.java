package io.sluice.emulator.query;

import io.sluice.emulator.query.function.Aggregate;
import io.sluice.emulator.query.function.BuiltIn;
import io.sluice.emulator.query.grammar.CosmosSqlBaseVisitor;
import io.sluice.emulator.query.grammar.CosmosSqlParser;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Invocation;
import io.sluice.emulator.query.tree.Term;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** Builds the expressions of a query that have no operator: literals, names, brackets, subqueries and calls. */
final class PrimaryBuilder extends CosmosSqlBaseVisitor<Expression> {
    private static final Pattern UNSUPPORTED_FUNCTION =
            Pattern.compile("ST_.*|_?FULLTEXT.*|VECTORDISTANCE|RRF|MAKELIST|MAKESET", Pattern.CASE_INSENSITIVE);

    private final QueryContext context;
    private final ExpressionBuilder expressions;

    PrimaryBuilder(QueryContext context, ExpressionBuilder expressions) {
        this.context = context;
        this.expressions = expressions;
    }

    Expression build(CosmosSqlParser.PrimaryContext tree) {
        return tree.accept(this);
    }

    @Override
    public Expression visitLiteral(CosmosSqlParser.LiteralContext tree) {
        Token token = tree.getStart();
        return new Term.Literal(
                switch (token.getType()) {
                    case CosmosSqlParser.STRING -> JsonValues.of(Literals.text(token));
                    case CosmosSqlParser.NUMBER -> Literals.number(token);
                    case CosmosSqlParser.TRUE -> JsonValues.of(true);
                    case CosmosSqlParser.FALSE -> JsonValues.of(false);
                    case CosmosSqlParser.NULL -> JsonValues.NULL;
                    default -> JsonValues.UNDEFINED;
                });
    }

    @Override
    public Expression visitParameterPrimary(CosmosSqlParser.ParameterPrimaryContext tree) {
        return new Term.Parameter(tree.PARAMETER().getText());
    }

    @Override
    public Expression visitIdentifierPrimary(CosmosSqlParser.IdentifierPrimaryContext tree) {
        String name = tree.identifier().getText();
        if (!context.isVisible(name)) {
            throw QuerySyntaxException.at(
                    tree, QuerySyntaxException.UNRESOLVED, "Identifier '" + name + "' could not be resolved.");
        }
        return new Term.Variable(name);
    }

    @Override
    public Expression visitArrayPrimary(CosmosSqlParser.ArrayPrimaryContext tree) {
        return new Term.ArrayLiteral(expressions.all(tree.scalar()));
    }

    @Override
    public Expression visitObjectPrimary(CosmosSqlParser.ObjectPrimaryContext tree) {
        List<Term.Property> properties = new ArrayList<>();
        for (CosmosSqlParser.ObjectPropertyContext property : tree.objectProperty()) {
            String name = property.STRING() == null
                    ? property.identifier().getText()
                    : Literals.text(property.STRING().getSymbol());
            properties.add(new Term.Property(name, expressions.build(property.scalar())));
        }
        return new Term.ObjectLiteral(properties);
    }

    @Override
    public Expression visitParenthesizedPrimary(CosmosSqlParser.ParenthesizedPrimaryContext tree) {
        return expressions.build(tree.scalar());
    }

    @Override
    public Expression visitSubqueryPrimary(CosmosSqlParser.SubqueryPrimaryContext tree) {
        return subquery(Invocation.SubqueryKind.SCALAR, tree.query());
    }

    @Override
    public Expression visitQuantifiedPrimary(CosmosSqlParser.QuantifiedPrimaryContext tree) {
        return switch (tree.kind.getType()) {
            case CosmosSqlParser.EXISTS -> subquery(Invocation.SubqueryKind.EXISTS, tree.query());
            case CosmosSqlParser.ARRAY -> subquery(Invocation.SubqueryKind.ARRAY, tree.query());
            default ->
                throw QuerySyntaxException.at(
                        tree.kind,
                        QuerySyntaxException.UNSUPPORTED,
                        "'" + tree.kind.getText() + "' over a subquery is not supported.");
        };
    }

    private Expression subquery(Invocation.SubqueryKind kind, CosmosSqlParser.QueryContext query) {
        return new Invocation.Subquery(kind, new QueryBuilder(context.nested()).build(query));
    }

    @Override
    public Expression visitFunctionPrimary(CosmosSqlParser.FunctionPrimaryContext tree) {
        String name = tree.functionName().getText();
        if (tree.UDF() != null) {
            throw QuerySyntaxException.at(
                    tree,
                    QuerySyntaxException.UNSUPPORTED,
                    "User-defined functions are not supported: 'udf." + name + "'.");
        }
        return call(tree.functionName(), tree.scalar(), tree);
    }

    /** A call, which stands at {@code tree}. */
    Expression call(
            CosmosSqlParser.FunctionNameContext functionName,
            List<CosmosSqlParser.ScalarContext> arguments,
            ParserRuleContext tree) {
        String name = functionName.getText();
        Optional<Aggregate> aggregate = Aggregate.named(name);
        if (aggregate.isPresent()) {
            return aggregate(aggregate.get(), arguments, tree);
        }
        BuiltIn function = BuiltIn.named(name).orElseThrow(() -> unknown(functionName));
        if (!function.takes(arguments.size())) {
            throw arity(tree, function.arityMessage());
        }
        return new Invocation.FunctionCall(function, expressions.all(arguments));
    }

    private Expression aggregate(
            Aggregate aggregate, List<CosmosSqlParser.ScalarContext> arguments, ParserRuleContext tree) {
        if (arguments.size() != 1) {
            throw arity(tree, "The " + aggregate.name() + " function requires 1 argument(s).");
        }
        if (!context.aggregatesAllowed()) {
            throw QuerySyntaxException.at(
                    tree,
                    QuerySyntaxException.NESTED_AGGREGATE,
                    "The aggregate " + aggregate.name().toUpperCase(Locale.ROOT)
                            + " is only supported in the select list, and not within another aggregate.");
        }
        context.allowAggregates(false);
        Expression argument = expressions.build(arguments.get(0));
        context.allowAggregates(true);
        return context.aggregate(aggregate, argument);
    }

    /** Distinguishes a function of the service that is missing here from a name that is no function. */
    private static QuerySyntaxException unknown(CosmosSqlParser.FunctionNameContext place) {
        String name = place.getText();
        return UNSUPPORTED_FUNCTION.matcher(name).matches()
                ? QuerySyntaxException.at(
                        place, QuerySyntaxException.UNSUPPORTED, "The function '" + name + "' is not supported.")
                : QuerySyntaxException.at(
                        place,
                        QuerySyntaxException.UNKNOWN_FUNCTION,
                        "'" + name + "' is not a recognized built-in function name.");
    }

    private static QuerySyntaxException arity(ParserRuleContext place, String message) {
        return QuerySyntaxException.at(place, QuerySyntaxException.ARGUMENT_COUNT, message);
    }
}
