package io.sluice.emulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table {@code conformance/queries.json}, which the scripts of {@code clients} read as well. */
public final class QueryTable {
    private static final String RESOURCE = "/conformance/queries.json";
    /** The data set of one document. */
    static final String ONE = "one";

    private static final String BEFORE = "SELECT VALUE ";
    private static final String BEHIND = " FROM c";
    private static final double LEAST_DIFFERENCE = 1e-12;
    private static final JsonNode TABLE = read();

    private QueryTable() {}

    /**
     * One query and what it answers.
     *
     * @param name of the function, operator or clause
     * @param source the page that says so
     * @param dataset whose documents it runs on
     * @param expected the results, empty when the query is refused
     * @param error the service's code of the refusal, empty for results
     * @param exceptions who is not asked and why: {@code java}, {@code javascript}, {@code python}, {@code account}
     */
    public record Case(
            String name,
            String source,
            String query,
            Map<String, JsonNode> parameters,
            String dataset,
            List<JsonNode> expected,
            String error,
            Map<String, String> exceptions) {
        /** What stands behind VALUE in the query of an expression over the data set {@value #ONE}. */
        public String expression() {
            return query.substring(BEFORE.length(), query.length() - BEHIND.length());
        }

        /** Whether this is the value of the expression; null for undefined. */
        public boolean isAnsweredBy(@Nullable JsonNode value) {
            return isAnsweredBy(value == null ? List.of() : List.of(value));
        }

        /** Whether these are the results: in any order unless the query sorts, and numbers but for their last bits. */
        public boolean isAnsweredBy(List<JsonNode> results) {
            if (query.contains("ORDER BY")) {
                return areEqual(expected, results);
            }
            var left = new ArrayList<>(results);
            return expected.stream().allMatch(wanted -> removeFirst(left, wanted)) && left.isEmpty();
        }

        @Override
        public String toString() {
            return name + ": " + query + (parameters.isEmpty() ? "" : " " + parameters);
        }
    }

    /** All cases. */
    public static List<Case> cases() {
        var cases = new ArrayList<Case>();
        for (var entry : TABLE.path("entries")) {
            entry.path("cases").forEach(row -> cases.add(read(entry, row)));
        }
        return cases;
    }

    /** The cases that are expressions, by what they are about. */
    public static Map<String, List<Case>> expressions() {
        return cases().stream()
                .filter(row -> row.dataset().equals(ONE) && row.query().startsWith(BEFORE))
                .collect(Collectors.groupingBy(Case::name, LinkedHashMap::new, Collectors.toList()));
    }

    /** The cases that are whole queries. */
    public static List<Case> queries() {
        return cases().stream().filter(row -> !row.dataset().equals(ONE)).toList();
    }

    /** The documents of each data set. */
    public static Map<String, List<ObjectNode>> datasets() {
        var datasets = new LinkedHashMap<String, List<ObjectNode>>();
        for (var dataset : TABLE.path("datasets").properties()) {
            var documents = new ArrayList<ObjectNode>();
            dataset.getValue().forEach(document -> documents.add((ObjectNode) document));
            datasets.put(dataset.getKey(), documents);
        }
        return datasets;
    }

    /**
     * The names that have at least so many cases, among those whose group is called so or whose kind of functions it
     * is.
     */
    public static Set<String> names(String group, int fewestCases) {
        var names = new TreeSet<String>();
        for (var entry : TABLE.path("entries")) {
            if (entry.path("group").asText().endsWith(group)
                    && entry.path("cases").size() >= fewestCases) {
                names.add(entry.path("name").asText());
            }
        }
        return names;
    }

    private static Case read(JsonNode entry, JsonNode row) {
        boolean isExpression = row.has("expression");
        var query = isExpression
                ? BEFORE + row.path("expression").asText() + BEHIND
                : row.path("query").asText();
        var expected = new ArrayList<JsonNode>();
        if (isExpression && row.has("value")) {
            expected.add(row.get("value"));
        }
        row.path("expected").forEach(expected::add);
        var parameters = new LinkedHashMap<String, JsonNode>();
        row.path("parameters")
                .forEach(parameter -> parameters.put(parameter.path("name").asText(), parameter.get("value")));
        var exceptions = new LinkedHashMap<String, String>();
        row.path("except")
                .properties()
                .forEach(one -> exceptions.put(one.getKey(), one.getValue().asText()));
        var dataset = isExpression ? ONE : row.path("on").asText();
        return new Case(
                entry.path("name").asText(),
                entry.path("source").asText(),
                query,
                parameters,
                dataset,
                expected,
                row.path("error").asText(),
                exceptions);
    }

    private static boolean removeFirst(List<JsonNode> from, JsonNode wanted) {
        for (int i = 0; i < from.size(); i++) {
            if (areEqual(wanted, from.get(i))) {
                from.remove(i);
                return true;
            }
        }
        return false;
    }

    private static boolean areEqual(List<JsonNode> left, List<JsonNode> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!areEqual(left.get(i), right.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean areEqual(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            double difference = Math.abs(left.doubleValue() - right.doubleValue());
            return difference <= LEAST_DIFFERENCE * Math.max(1, Math.abs(left.doubleValue()));
        }
        if (left.isObject() && right.isObject() && left.size() == right.size()) {
            return left.properties().stream()
                    .allMatch(property -> areEqual(property.getValue(), right.path(property.getKey())));
        }
        if (left.isArray() && right.isArray()) {
            return areEqual(elements(left), elements(right));
        }
        return left.equals(right);
    }

    private static List<JsonNode> elements(JsonNode array) {
        var elements = new ArrayList<JsonNode>();
        array.forEach(elements::add);
        return elements;
    }

    private static JsonNode read() {
        try (InputStream table = QueryTable.class.getResourceAsStream(RESOURCE)) {
            return new ObjectMapper().readTree(Objects.requireNonNull(table));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
