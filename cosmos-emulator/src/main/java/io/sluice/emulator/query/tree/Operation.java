package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.Arithmetic;
import io.sluice.emulator.query.value.InfixOperator;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.stream.Stream;

/** An operator and its operands. */
public sealed interface Operation extends Expression {

    /** {@code a ? b : c ? d : e}: the first branch whose condition is true; whatever is not true takes the next. */
    record Conditional(List<Branch> branches, Expression otherwise) implements Operation {
        public Conditional {
            branches = List.copyOf(branches);
        }

        /** One condition and the value when it is true. */
        public record Branch(Expression condition, Expression then) {}

        @Override
        public JsonNode eval(Scope scope) {
            for (Branch branch : branches) {
                if (JsonValues.isTrue(branch.condition().eval(scope))) {
                    return branch.then().eval(scope);
                }
            }
            return otherwise.eval(scope);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('(');
            for (Branch branch : branches) {
                branch.condition().render(sql);
                sql.append(" ? ");
                branch.then().render(sql);
                sql.append(" : ");
            }
            otherwise.render(sql);
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            Stream<Expression> inBranches =
                    branches.stream().flatMap(branch -> Stream.of(branch.condition(), branch.then()));
            return Stream.concat(inBranches, Stream.of(otherwise)).toList();
        }
    }

    /** {@code a ?? b ?? c}: the first that is defined; null is defined. */
    record Coalesce(List<Expression> operands) implements Operation {
        public Coalesce {
            operands = List.copyOf(operands);
        }

        @Override
        public JsonNode eval(Scope scope) {
            for (Expression operand : operands) {
                JsonNode value = operand.eval(scope);
                if (!JsonValues.isUndefined(value)) {
                    return value;
                }
            }
            return JsonValues.UNDEFINED;
        }

        @Override
        public void render(StringBuilder sql) {
            renderJoined(operands, " ?? ", sql);
        }

        @Override
        public List<Expression> children() {
            return operands;
        }
    }

    /**
     * AND and OR in three-valued logic: {@code decisive} (false for AND, true for OR) wins over everything; else
     * anything that is not a boolean makes the whole undefined.
     */
    record Junction(List<Expression> operands, boolean decisive) implements Operation {
        public Junction {
            operands = List.copyOf(operands);
        }

        public static Expression and(Expression... operands) {
            return new Junction(List.of(operands), false);
        }

        @Override
        public JsonNode eval(Scope scope) {
            boolean allBoolean = true;
            for (Expression operand : operands) {
                JsonNode value = operand.eval(scope);
                if (value.isBoolean() && value.booleanValue() == decisive) {
                    return value;
                }
                allBoolean &= value.isBoolean();
            }
            return allBoolean ? JsonValues.of(!decisive) : JsonValues.UNDEFINED;
        }

        @Override
        public void render(StringBuilder sql) {
            renderJoined(operands, decisive ? " OR " : " AND ", sql);
        }

        @Override
        public List<Expression> children() {
            return operands;
        }
    }

    /** What stands before one operand. */
    enum Prefix {
        NOT("NOT "),
        MINUS("-"),
        PLUS("+"),
        BITWISE_NOT("~");

        private final String symbol;

        Prefix(String symbol) {
            this.symbol = symbol;
        }

        JsonNode apply(JsonNode value) {
            return switch (this) {
                case NOT -> value.isBoolean() ? JsonValues.of(!value.booleanValue()) : JsonValues.UNDEFINED;
                case MINUS -> Arithmetic.negate(value);
                case PLUS -> value.isNumber() ? value : JsonValues.UNDEFINED;
                case BITWISE_NOT -> Arithmetic.bitwiseNot(value);
            };
        }
    }

    /** NOT, minus, plus and bitwise not; the one nearest to the operand comes last in the list. */
    record Unary(List<Prefix> prefixes, Expression operand) implements Operation {
        public Unary {
            prefixes = List.copyOf(prefixes);
        }

        @Override
        public JsonNode eval(Scope scope) {
            JsonNode value = operand.eval(scope);
            for (int i = prefixes.size() - 1; i >= 0; i--) {
                value = prefixes.get(i).apply(value);
            }
            return value;
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('(');
            Prefix previous = null;
            for (Prefix prefix : prefixes) {
                // Two minus signs side by side begin a comment.
                sql.append(prefix == Prefix.MINUS && previous == Prefix.MINUS ? " " : "")
                        .append(prefix.symbol);
                previous = prefix;
            }
            operand.render(sql);
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            return List.of(operand);
        }
    }

    /** Operators of one precedence from left to right: {@code first - second + third}. */
    record Chain(Expression first, List<Link> links) implements Operation {
        public Chain {
            links = List.copyOf(links);
        }

        /** One operator and its right operand. */
        public record Link(InfixOperator operator, Expression operand) {}

        @Override
        public JsonNode eval(Scope scope) {
            JsonNode value = first.eval(scope);
            for (Link link : links) {
                value = link.operator().apply(value, link.operand().eval(scope));
            }
            return value;
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('(');
            first.render(sql);
            for (Link link : links) {
                sql.append(' ').append(link.operator().symbol()).append(' ');
                link.operand().render(sql);
            }
            sql.append(')');
        }

        @Override
        public List<Expression> children() {
            return Stream.concat(Stream.of(first), links.stream().map(Link::operand))
                    .toList();
        }
    }

    private static void renderJoined(List<Expression> operands, String separator, StringBuilder sql) {
        sql.append('(');
        Expression.renderAll(operands, separator, sql);
        sql.append(')');
    }
}
