package io.sluice.emulator.query;

import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Invocation;
import io.sluice.emulator.query.tree.Projection;
import io.sluice.emulator.query.tree.Term;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;

/** What SELECT may hold when rows are grouped: the keys, aggregates, and expressions of these. */
final class GroupingRules {
    private final List<Expression> keys;

    GroupingRules(List<Expression> keys) {
        this.keys = keys;
    }

    void check(ParserRuleContext place, Projection projection) {
        if (projection instanceof Projection.Star) {
            throw QuerySyntaxException.at(
                    place, QuerySyntaxException.STAR_WITH_GROUP_BY, "'SELECT *' is not allowed with GROUP BY.");
        }
        projection.properties().forEach(property -> check(place, property.value()));
    }

    private void check(ParserRuleContext place, Expression expression) {
        if (keys.contains(expression) || expression instanceof Invocation.AggregateCall) {
            return;
        }
        if (expression instanceof Invocation.Subquery) {
            throw QuerySyntaxException.at(
                    place,
                    QuerySyntaxException.UNSUPPORTED,
                    "A subquery in the select list is not supported when rows are grouped.");
        }
        if (expression instanceof Term.Path path && isBelowKey(path)) {
            return;
        }
        if (expression instanceof Term.Variable || isPathOfAlias(expression)) {
            throw QuerySyntaxException.at(
                    place,
                    QuerySyntaxException.NOT_GROUPED,
                    "Property reference '" + expression.sql() + "' is invalid in the select list because it is not "
                            + "contained in either an aggregate function or the GROUP BY clause.");
        }
        expression.children().forEach(child -> check(place, child));
    }

    private static boolean isPathOfAlias(Expression expression) {
        return expression instanceof Term.Path path && path.base() instanceof Term.Variable;
    }

    /** A path below a key, such as c.a.b under GROUP BY c.a, is the same in all rows of a group. */
    private boolean isBelowKey(Term.Path path) {
        for (int length = 0; length < path.steps().size(); length++) {
            List<Expression> start = path.steps().subList(0, length);
            if (keys.contains(length == 0 ? path.base() : new Term.Path(path.base(), start))) {
                return true;
            }
        }
        return false;
    }
}
