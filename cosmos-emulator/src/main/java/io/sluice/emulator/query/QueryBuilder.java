package io.sluice.emulator.query;

import io.sluice.emulator.query.grammar.CosmosSqlParser;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.FromItem;
import io.sluice.emulator.query.tree.Projection;
import io.sluice.emulator.query.tree.RowCount;
import io.sluice.emulator.query.tree.SelectQuery;
import io.sluice.emulator.query.tree.SortKey;
import io.sluice.emulator.query.tree.Term;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Builds the clauses of one query; {@link ExpressionBuilder} builds what stands in them. */
final class QueryBuilder {
    /** The service's limit. */
    private static final int MOST_JOINS = 10;

    private final QueryContext context;
    private final ExpressionBuilder expressions;

    QueryBuilder(QueryContext context) {
        this.context = context;
        this.expressions = new ExpressionBuilder(context);
    }

    SelectQuery build(CosmosSqlParser.QueryContext query) {
        List<FromItem> from = query.fromClause() == null ? List.of() : from(query.fromClause());
        Expression where = query.whereClause() == null
                ? null
                : expressions.build(query.whereClause().scalar());
        List<Expression> keys = query.groupByClause() == null
                ? List.of()
                : query.groupByClause().scalar().stream()
                        .map(expressions::build)
                        .toList();
        context.allowAggregates(true);
        SelectQuery.Selection selection = selection(query.selectClause(), from);
        context.allowAggregates(false);
        SelectQuery.Grouping grouping = new SelectQuery.Grouping(keys, context.aggregates());
        if (grouping.isPresent()) {
            new GroupingRules(keys).check(query.selectClause(), selection.projection());
        }
        List<SortKey> orderBy = query.orderByClause() == null ? List.of() : orderBy(query.orderByClause(), from, keys);
        return new SelectQuery(selection, from, where, grouping, orderBy, window(query));
    }

    private List<FromItem> from(CosmosSqlParser.FromClauseContext clause) {
        List<FromItem> items = new ArrayList<>();
        for (CosmosSqlParser.FromItemContext item : clause.fromItem()) {
            FromItem built = new FromItemBuilder(context, items.isEmpty()).build(item);
            if (!built.alias().equals(FromItem.UNNAMED) && !context.declare(built.alias())) {
                throw duplicate(item, built.alias());
            }
            items.add(built);
        }
        if (items.size() > MOST_JOINS + 1) {
            throw unsupported(clause, "A query can have at most " + MOST_JOINS + " joins, was " + (items.size() - 1));
        }
        return items;
    }

    private SelectQuery.Selection selection(CosmosSqlParser.SelectClauseContext clause, List<FromItem> from) {
        RowCount top =
                clause.topSpec() == null ? null : count("TOP", clause.topSpec().countSpec());
        return new SelectQuery.Selection(clause.DISTINCT() != null, top, projection(clause.selection(), from));
    }

    private Projection projection(CosmosSqlParser.SelectionContext selection, List<FromItem> from) {
        if (selection instanceof CosmosSqlParser.SelectStarContext star) {
            if (from.size() != 1) {
                throw QuerySyntaxException.at(
                        star, QuerySyntaxException.STAR_INPUT, "'SELECT *' is only valid with a single input set.");
            }
            return new Projection.Star(from.get(0).alias());
        }
        if (selection instanceof CosmosSqlParser.SelectValueContext value) {
            return new Projection.Value(expressions.build(value.scalar()));
        }
        return columns((CosmosSqlParser.SelectListContext) selection);
    }

    /** An item without an alias is called by the last name of its path, any other {@code $1}, {@code $2} and so on. */
    private Projection columns(CosmosSqlParser.SelectListContext list) {
        List<Term.Property> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int unnamed = 0;
        for (CosmosSqlParser.SelectItemContext item : list.selectItem()) {
            Expression value = expressions.build(item.scalar());
            String name = item.identifier() == null
                    ? lastName(value)
                    : item.identifier().getText();
            String column = name == null ? "$" + ++unnamed : name;
            if (!names.add(column)) {
                throw duplicate(item, column);
            }
            columns.add(new Term.Property(column, value));
        }
        return Projection.Columns.of(columns);
    }

    private static @Nullable String lastName(Expression value) {
        if (value instanceof Term.Variable variable) {
            return variable.name();
        }
        boolean isNamed = value instanceof Term.Path path
                && path.steps().get(path.steps().size() - 1) instanceof Term.Literal last
                && last.value().isTextual();
        if (!isNamed) {
            return null;
        }
        List<Expression> steps = ((Term.Path) value).steps();
        return ((Term.Literal) steps.get(steps.size() - 1)).value().textValue();
    }

    private List<SortKey> orderBy(
            CosmosSqlParser.OrderByClauseContext clause, List<FromItem> from, List<Expression> groupKeys) {
        if (context.isNested()) {
            throw unsupported(clause, "'ORDER BY' is not supported in subqueries.");
        }
        if (clause.RANK() != null) {
            throw unsupported(clause, "'ORDER BY RANK' is not supported.");
        }
        if (!groupKeys.isEmpty()) {
            throw unsupported(clause, "'ORDER BY' is not supported together with 'GROUP BY'.");
        }
        List<SortKey> keys = new ArrayList<>();
        for (CosmosSqlParser.OrderByItemContext item : clause.orderByItem()) {
            keys.add(new SortKey(sortExpression(item, from), direction(item)));
        }
        return keys;
    }

    private Expression sortExpression(CosmosSqlParser.OrderByItemContext item, List<FromItem> from) {
        Expression expression = expressions.build(item.scalar());
        boolean isPath = expression instanceof Term.Path path
                && path.base() instanceof Term.Variable
                && path.steps().stream().allMatch(Term.Literal.class::isInstance);
        if (!isPath) {
            throw QuerySyntaxException.at(
                    item,
                    QuerySyntaxException.ORDER_BY_PATH,
                    "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path.");
        }
        String alias = ((Term.Variable) ((Term.Path) expression).base()).name();
        if (!from.get(0).isWholeDocument() || !from.get(0).alias().equals(alias)) {
            throw unsupported(item, "Order-by over correlated collections is not supported.");
        }
        return expression;
    }

    private static SortKey.Direction direction(CosmosSqlParser.OrderByItemContext item) {
        if (item.DESC() != null) {
            return SortKey.Direction.DESCENDING;
        }
        return item.ASC() != null ? SortKey.Direction.ASCENDING : SortKey.Direction.DEFAULT;
    }

    private SelectQuery.@Nullable Window window(CosmosSqlParser.QueryContext query) {
        CosmosSqlParser.OffsetLimitClauseContext clause = query.offsetLimitClause();
        if (clause == null) {
            return null;
        }
        if (query.selectClause().topSpec() != null) {
            throw unsupported(clause, "'OFFSET LIMIT' is not supported together with 'TOP'.");
        }
        return new SelectQuery.Window(count("OFFSET", clause.countSpec(0)), count("LIMIT", clause.countSpec(1)));
    }

    private static RowCount count(String clause, CosmosSqlParser.CountSpecContext spec) {
        Token token = spec.getStart();
        Expression value = spec.PARAMETER() == null
                ? new Term.Literal(Literals.number(token))
                : new Term.Parameter(token.getText());
        RowCount count = new RowCount(clause, value, token.getStartIndex());
        if (value instanceof Term.Literal literal) {
            count.check(literal.value());
        }
        return count;
    }

    private static QuerySyntaxException duplicate(ParserRuleContext place, String alias) {
        return QuerySyntaxException.at(
                place,
                QuerySyntaxException.DUPLICATE_ALIAS,
                "The name '" + alias + "' is used more than once; give one of them another alias.");
    }

    private static QuerySyntaxException unsupported(ParserRuleContext place, String message) {
        return QuerySyntaxException.at(place, QuerySyntaxException.UNSUPPORTED, message);
    }
}
