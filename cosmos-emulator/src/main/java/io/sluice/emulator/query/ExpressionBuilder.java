package io.sluice.emulator.query;

import io.sluice.emulator.query.grammar.CosmosSqlBaseVisitor;
import io.sluice.emulator.query.grammar.CosmosSqlParser;
import io.sluice.emulator.query.tree.Comparison;
import io.sluice.emulator.query.tree.Expression;
import io.sluice.emulator.query.tree.Operation;
import io.sluice.emulator.query.tree.Term;
import io.sluice.emulator.query.value.InfixOperator;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

/** Builds expressions of every precedence; {@link PrimaryBuilder} builds what the operators stand between. */
final class ExpressionBuilder extends CosmosSqlBaseVisitor<Expression> {
    private final PrimaryBuilder primaries;

    ExpressionBuilder(QueryContext context) {
        this.primaries = new PrimaryBuilder(context, this);
    }

    /** Skips the precedences that have no operator here, so that a level of brackets costs little stack. */
    Expression build(ParserRuleContext tree) {
        ParserRuleContext operation = tree;
        while (operation.getChildCount() == 1
                && !(operation instanceof CosmosSqlParser.PostfixContext)
                && operation.getChild(0) instanceof ParserRuleContext only) {
            operation = only;
        }
        return operation.accept(this);
    }

    /** {@code a ? b : c ? d : e} is {@code a ? b : (c ? d : e)}. */
    @Override
    public Expression visitScalar(CosmosSqlParser.ScalarContext tree) {
        List<Expression> operands = all(tree.coalesce());
        List<Expression> values = all(tree.scalar());
        Expression otherwise = operands.get(values.size());
        List<Operation.Conditional.Branch> branches = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            branches.add(new Operation.Conditional.Branch(operands.get(i), values.get(i)));
        }
        return branches.isEmpty() ? otherwise : new Operation.Conditional(branches, otherwise);
    }

    @Override
    public Expression visitCoalesce(CosmosSqlParser.CoalesceContext tree) {
        List<Expression> operands = all(tree.disjunction());
        return operands.size() == 1 ? operands.get(0) : new Operation.Coalesce(operands);
    }

    @Override
    public Expression visitDisjunction(CosmosSqlParser.DisjunctionContext tree) {
        List<Expression> operands = all(tree.conjunction());
        return operands.size() == 1 ? operands.get(0) : new Operation.Junction(operands, true);
    }

    @Override
    public Expression visitConjunction(CosmosSqlParser.ConjunctionContext tree) {
        List<Expression> operands = all(tree.predicate());
        return operands.size() == 1 ? operands.get(0) : new Operation.Junction(operands, false);
    }

    @Override
    public Expression visitPredicate(CosmosSqlParser.PredicateContext tree) {
        Expression left = build(tree.concatenation());
        CosmosSqlParser.PredicateTailContext tail = tree.predicateTail();
        if (tail instanceof CosmosSqlParser.InTailContext in) {
            return new Comparison.In(left, in.NOT() != null, all(in.scalar()));
        }
        if (tail instanceof CosmosSqlParser.BetweenTailContext between) {
            Expression low = build(between.concatenation(0));
            return new Comparison.Between(left, between.NOT() != null, low, build(between.concatenation(1)));
        }
        return tail instanceof CosmosSqlParser.LikeTailContext like ? like(left, like) : left;
    }

    private Expression like(Expression left, CosmosSqlParser.LikeTailContext like) {
        String escape = null;
        if (like.STRING() != null) {
            escape = Literals.text(like.STRING().getSymbol());
            if (escape.length() != 1) {
                throw QuerySyntaxException.at(
                        like.STRING().getSymbol(),
                        QuerySyntaxException.SYNTAX,
                        "Syntax error, ESCAPE takes one character, was '" + escape + "'.");
            }
        }
        return new Comparison.Like(left, like.NOT() != null, build(like.concatenation()), escape);
    }

    @Override
    public Expression visitConcatenation(CosmosSqlParser.ConcatenationContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitBitwiseOr(CosmosSqlParser.BitwiseOrContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitBitwiseXor(CosmosSqlParser.BitwiseXorContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitBitwiseAnd(CosmosSqlParser.BitwiseAndContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitEquality(CosmosSqlParser.EqualityContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitRelation(CosmosSqlParser.RelationContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitShift(CosmosSqlParser.ShiftContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitSum(CosmosSqlParser.SumContext tree) {
        return chain(tree);
    }

    @Override
    public Expression visitProduct(CosmosSqlParser.ProductContext tree) {
        return chain(tree);
    }

    /** Operands and operators take turns among the children of such a rule. */
    private Expression chain(ParserRuleContext tree) {
        Expression first = build((ParserRuleContext) tree.getChild(0));
        List<Operation.Chain.Link> links = new ArrayList<>();
        for (int i = 1; i < tree.getChildCount(); i += 2) {
            InfixOperator operator = InfixOperator.of(tree.getChild(i).getText());
            links.add(new Operation.Chain.Link(operator, build((ParserRuleContext) tree.getChild(i + 1))));
        }
        return new Operation.Chain(first, links);
    }

    @Override
    public Expression visitUnary(CosmosSqlParser.UnaryContext tree) {
        Expression operand = build(tree.postfix());
        List<Operation.Prefix> prefixes = new ArrayList<>();
        for (ParseTree child : tree.children) {
            if (child instanceof TerminalNode terminal) {
                prefixes.add(prefix(terminal.getSymbol()));
            }
        }
        return prefixes.isEmpty() ? operand : new Operation.Unary(prefixes, operand);
    }

    private static Operation.Prefix prefix(Token token) {
        return switch (token.getType()) {
            case CosmosSqlParser.MINUS -> Operation.Prefix.MINUS;
            case CosmosSqlParser.PLUS -> Operation.Prefix.PLUS;
            case CosmosSqlParser.TILDE -> Operation.Prefix.BITWISE_NOT;
            default -> Operation.Prefix.NOT;
        };
    }

    @Override
    public Expression visitPostfix(CosmosSqlParser.PostfixContext tree) {
        Expression base = primaries.build(tree.primary());
        if (tree.step().isEmpty()) {
            return base;
        }
        List<Expression> steps = new ArrayList<>();
        for (CosmosSqlParser.StepContext step : tree.step()) {
            steps.add(
                    step.identifier() == null
                            ? build(step.scalar())
                            : new Term.Literal(JsonValues.of(step.identifier().getText())));
        }
        return new Term.Path(base, steps);
    }

    List<Expression> all(List<? extends ParserRuleContext> trees) {
        List<Expression> all = new ArrayList<>(trees.size());
        for (ParserRuleContext tree : trees) {
            all.add(build(tree));
        }
        return all;
    }
}
