package io.sluice.emulator.query;

import io.sluice.emulator.query.function.Aggregate;
import io.sluice.emulator.query.function.BuiltIn;
import io.sluice.emulator.query.grammar.CosmosSqlParser;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.atn.LoopEndState;
import org.antlr.v4.runtime.atn.RuleStopState;
import org.antlr.v4.runtime.atn.RuleTransition;
import org.antlr.v4.runtime.atn.Transition;

/**
 * A walk through the parser's own grammar: whatever it may read is drawn sooner or later, and there is no second
 * grammar to keep true. Names and values come from short lists, so that they often mean something.
 */
final class DrawnQuery {
    private static final ATN GRAMMAR = CosmosSqlParser._ATN;
    private static final int UNKNOWN = Integer.MAX_VALUE / 4;
    private static final int[] COSTS = costs();
    private static final Set<Integer> MEANS_AN_INPUT =
            Set.of(CosmosSqlParser.RULE_primary, CosmosSqlParser.RULE_collection);
    private static final int DEEPEST = 60;
    private static final int LONGEST = 120;

    private static final List<BuiltIn> FUNCTIONS =
            BuiltIn.all().stream().sorted(Comparator.comparing(BuiltIn::name)).toList();
    private static final List<Aggregate> AGGREGATES = List.of(Aggregate.values());
    private static final List<String> NAMES =
            List.of("t", "a", "b", "n", "list", "o", "s", "x", "id", "tags", "age", "Root", "\u00e9");
    private static final Map<Integer, List<String>> WORDS = Map.of(
            CosmosSqlParser.IDENTIFIER,
            NAMES,
            CosmosSqlParser.PARAMETER,
            List.of("@p", "@n", "@list", "@missing"),
            CosmosSqlParser.NUMBER,
            List.of(
                    "0",
                    "1",
                    "2",
                    "3",
                    "10",
                    "0.5",
                    "1e3",
                    "1e308",
                    "1e-320",
                    "2147483648",
                    "9007199254740993",
                    "9223372036854775807",
                    "9223372036854775808"),
            CosmosSqlParser.STRING,
            List.of(
                    "''",
                    "'a'",
                    "\"b\"",
                    "'n'",
                    "'%a_'",
                    "'[a-z]+'",
                    "'(a+)+$'",
                    "'i'",
                    "'\\u0000'",
                    "'\\ud800'",
                    "'2026-01-31T12:00:00.1234567Z'",
                    "'yyyy-MM-dd'",
                    "'day'",
                    "'[1,{\"a\":null}]'",
                    "'1e999'"));

    private final SplittableRandom random;
    private final StringBuilder sql = new StringBuilder();
    private int tokens;

    private DrawnQuery(SplittableRandom random) {
        this.random = random;
    }

    /** A text that the grammar allows. */
    static String from(SplittableRandom random) {
        var query = new DrawnQuery(random);
        if (random.nextBoolean()) {
            query.walk(CosmosSqlParser.RULE_query, 0);
        } else {
            query.write("SELECT VALUE");
            query.walk(CosmosSqlParser.RULE_scalar, 0);
            query.write("FROM c WHERE");
            query.walk(CosmosSqlParser.RULE_scalar, 0);
        }
        return query.sql.toString();
    }

    private void walk(int rule, int depth) {
        ATNState state = GRAMMAR.ruleToStartState[rule];
        while (!(state instanceof RuleStopState)) {
            var next = chosen(state, depth);
            if (next instanceof RuleTransition inner) {
                if (inner.ruleIndex == CosmosSqlParser.RULE_functionName) {
                    // It ends the rule, with as many arguments as the function takes: any other number is refused at
                    // once.
                    call(depth);
                    return;
                }
                if (inner.ruleIndex == CosmosSqlParser.RULE_identifier && MEANS_AN_INPUT.contains(rule)) {
                    write(random.nextInt(20) == 0 ? one(NAMES) : "c");
                } else {
                    walk(inner.ruleIndex, depth + 1);
                }
                state = inner.followState;
            } else {
                if (!next.isEpsilon()) {
                    write(word(one(next.label().toList())));
                }
                state = next.target;
            }
        }
    }

    private void call(int depth) {
        boolean aggregates = random.nextInt(20) == 0;
        var function = one(FUNCTIONS);
        int arguments = random.nextInt(function.fewest(), Math.min(function.most(), function.fewest() + 2) + 1);
        write(aggregates ? one(AGGREGATES).name() : function.name());
        write("(");
        for (int i = aggregates ? 1 : arguments; i > 0; i--) {
            walk(CosmosSqlParser.RULE_scalar, depth + 1);
            write(i > 1 ? "," : "");
        }
        write(")");
    }

    /** Any way on; out of loops more often than not, and the shortest where it is deep or long already. */
    private Transition chosen(ATNState state, int depth) {
        var ways = Arrays.asList(state.getTransitions());
        if (ways.size() == 1) {
            return ways.get(0);
        }
        boolean hurries = tokens > LONGEST || random.nextInt(DEEPEST) < depth;
        var out =
                ways.stream().filter(way -> way.target instanceof LoopEndState).findFirst();
        if (out.isPresent()) {
            return hurries || random.nextInt(12) > 0 ? out.get() : one(ways);
        }
        return hurries
                ? ways.stream()
                        .min((a, b) -> Integer.compare(cost(a, COSTS), cost(b, COSTS)))
                        .orElseThrow()
                : one(ways);
    }

    private void write(String word) {
        sql.append(word).append(random.nextInt(40) == 0 ? "\n-- \n" : " ");
        tokens++;
    }

    private String word(int type) {
        var words = WORDS.get(type);
        if (words != null) {
            return one(words);
        }
        var literal = CosmosSqlParser.VOCABULARY.getLiteralName(type);
        return literal == null
                ? CosmosSqlParser.VOCABULARY.getSymbolicName(type)
                : literal.substring(1, literal.length() - 1);
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** How many tokens it takes at least from each state to the end of its rule. */
    private static int[] costs() {
        var costs = new int[GRAMMAR.states.size()];
        Arrays.fill(costs, UNKNOWN);
        boolean changed = true;
        while (changed) {
            changed = false;
            for (var state : GRAMMAR.states) {
                int least = state instanceof RuleStopState ? 0 : UNKNOWN;
                for (var way : state.getTransitions()) {
                    least = Math.min(least, cost(way, costs));
                }
                changed |= least < costs[state.stateNumber];
                costs[state.stateNumber] = Math.min(least, costs[state.stateNumber]);
            }
        }
        return costs;
    }

    private static int cost(Transition way, int[] costs) {
        if (way instanceof RuleTransition rule) {
            return costs[rule.target.stateNumber] + costs[rule.followState.stateNumber];
        }
        return costs[way.target.stateNumber] + (way.isEpsilon() ? 0 : 1);
    }
}
