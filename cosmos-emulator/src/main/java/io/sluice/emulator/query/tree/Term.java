package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;

/** What an expression starts from: literals, parameters, aliases, paths, and array and object literals. */
public sealed interface Term extends Expression {

    /** A number, string, boolean, null or undefined. */
    record Literal(JsonNode value) implements Term {
        @Override
        public JsonNode eval(Scope scope) {
            return value;
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append(JsonValues.isUndefined(value) ? "undefined" : value.toString());
        }

        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** A parameter; its name holds the {@code @}. */
    record Parameter(String name) implements Term {
        @Override
        public JsonNode eval(Scope scope) {
            return scope.parameter(name);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append(name);
        }

        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** An alias of FROM or JOIN. */
    record Variable(String name) implements Term {
        @Override
        public JsonNode eval(Scope scope) {
            return scope.variable(name);
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append(name);
        }

        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** A way into a value: {@code c.a["b"][0]}. A step is a property by name or an element by index. */
    record Path(Expression base, List<Expression> steps) implements Term {
        public Path {
            steps = List.copyOf(steps);
        }

        @Override
        public JsonNode eval(Scope scope) {
            JsonNode value = base.eval(scope);
            for (Expression step : steps) {
                value = step(value, step.eval(scope));
            }
            return value;
        }

        static JsonNode step(JsonNode value, JsonNode key) {
            if (value.isObject() && key.isTextual()) {
                return value.path(key.textValue());
            }
            if (value.isArray() && key.isNumber() && JsonValues.isWhole(key)) {
                long index = key.longValue();
                return index >= 0 && index < value.size() ? value.get((int) index) : JsonValues.UNDEFINED;
            }
            return JsonValues.UNDEFINED;
        }

        @Override
        public void render(StringBuilder sql) {
            // A dot right behind a number would be its own.
            boolean isNumber =
                    base instanceof Literal literal && literal.value().isNumber();
            sql.append(isNumber ? "(" : "");
            base.render(sql);
            sql.append(isNumber ? ")" : "");
            renderSteps(steps, sql);
        }

        static void renderSteps(List<Expression> steps, StringBuilder sql) {
            for (Expression step : steps) {
                if (step instanceof Literal literal && Names.isPlain(literal.value())) {
                    sql.append('.').append(literal.value().textValue());
                } else {
                    sql.append('[');
                    step.render(sql);
                    sql.append(']');
                }
            }
        }

        @Override
        public List<Expression> children() {
            List<Expression> all = new ArrayList<>(steps.size() + 1);
            all.add(base);
            all.addAll(steps);
            return all;
        }
    }

    /** An array literal; an element that is undefined is kept as such, and becomes null when it is written. */
    record ArrayLiteral(List<Expression> elements) implements Term {
        public ArrayLiteral {
            elements = List.copyOf(elements);
        }

        @Override
        public JsonNode eval(Scope scope) {
            ArrayNode array = JsonValues.array();
            for (Expression element : elements) {
                array.add(element.eval(scope));
            }
            return array;
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('[');
            Expression.renderAll(elements, ", ", sql);
            sql.append(']');
        }

        @Override
        public List<Expression> children() {
            return elements;
        }
    }

    /** One property of an object literal. */
    record Property(String name, Expression value) {
        void render(StringBuilder sql) {
            sql.append(JsonValues.of(name)).append(": ");
            value.render(sql);
        }
    }

    /** An object literal; a property that is undefined is left out. */
    record ObjectLiteral(List<Property> properties) implements Term {
        public ObjectLiteral {
            properties = List.copyOf(properties);
        }

        @Override
        public JsonNode eval(Scope scope) {
            ObjectNode object = JsonValues.object();
            for (Property property : properties) {
                JsonNode value = property.value().eval(scope);
                if (!JsonValues.isUndefined(value)) {
                    object.set(property.name(), value);
                }
            }
            return object;
        }

        @Override
        public void render(StringBuilder sql) {
            sql.append('{');
            for (int i = 0; i < properties.size(); i++) {
                sql.append(i > 0 ? ", " : "");
                properties.get(i).render(sql);
            }
            sql.append('}');
        }

        @Override
        public List<Expression> children() {
            return properties.stream().map(Property::value).toList();
        }
    }
}
