package io.sluice.emulator.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.query.condition.IndexCondition;
import io.sluice.emulator.query.condition.IndexConditionFinder;
import io.sluice.emulator.query.condition.OrderByLimit;
import io.sluice.emulator.query.tree.Scope;
import io.sluice.emulator.query.tree.SelectQuery;
import io.sluice.emulator.query.tree.SortKey;
import io.sluice.emulator.query.tree.Term;
import io.sluice.emulator.query.value.EvaluationException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One query and its parameters. It runs on the documents it is given, in their order, and says how a client merges the
 * results of several partitions. Immutable and safe for use by many threads; texts met before are not parsed again.
 */
public final class CosmosQuery {
    private static final ParsedQueries PARSED = new ParsedQueries();

    private final SelectQuery query;
    private final Map<String, JsonNode> parameters;
    private final InstantSource clock;

    private CosmosQuery(SelectQuery query, Map<String, JsonNode> parameters, InstantSource clock) {
        this.query = query;
        this.parameters = Map.copyOf(parameters);
        this.clock = clock;
    }

    /**
     * The query of this text.
     *
     * @param parameters their values by name with the {@code @}; JSON null is {@code NullNode}, and one that is missing
     *     is undefined, as on the service
     * @throws QuerySyntaxException when the text does not parse or asks for something that is not supported
     */
    public static CosmosQuery parse(String sql, Map<String, JsonNode> parameters) throws QuerySyntaxException {
        return parse(sql, parameters, InstantSource.system());
    }

    static CosmosQuery parse(String sql, Map<String, JsonNode> parameters, InstantSource clock) {
        try {
            return new CosmosQuery(PARSED.parse(sql), parameters, clock);
        } catch (EvaluationException failure) {
            throw QuerySyntaxException.of(failure);
        }
    }

    /**
     * What a gateway answers to a query plan request.
     *
     * @throws QuerySyntaxException when the query cannot be merged over several partitions
     */
    public QueryPlan plan() throws QuerySyntaxException {
        try {
            return new QueryPlanner(query, scope()).plan();
        } catch (EvaluationException failure) {
            throw QuerySyntaxException.of(failure);
        }
    }

    /**
     * The results over these documents: WHERE, projection, and as far as the documents go, ORDER BY, TOP, DISTINCT,
     * OFFSET LIMIT, aggregates and GROUP BY. Results that are undefined are left out. They may share nodes with the
     * documents and must not be changed.
     *
     * @return a lazy iterator: a {@linkplain #isStreaming streaming} query reads a document when its results are asked
     *     for
     * @throws QuerySyntaxException from here or from the iterator, when an operation fails, such as a division by zero
     */
    public Iterator<JsonNode> execute(Iterator<ObjectNode> documents) throws QuerySyntaxException {
        return execute(documents, () -> {});
    }

    /**
     * The same.
     *
     * @param asked runs for each document that the service would have to read, because no index answers
     *     {@code ARRAY_CONTAINS(@list, c.p)}, and that gives no result of its own
     */
    public Iterator<JsonNode> execute(Iterator<ObjectNode> documents, Runnable asked) throws QuerySyntaxException {
        return results(() -> query.run(scope(), stream(documents), asked));
    }

    /**
     * The results of a query with a {@link #orderByLimit} over documents that come in this order, group by group, and
     * within a group as they like. It reads no more groups than it needs.
     *
     * @param asked as for {@link #execute(Iterator, Runnable)}
     * @throws QuerySyntaxException as {@link #execute}
     */
    public Iterator<JsonNode> executeInOrder(Iterator<Iterator<ObjectNode>> groups, Runnable asked)
            throws QuerySyntaxException {
        return results(() -> query.runInOrder(scope(), stream(groups).map(CosmosQuery::stream), asked));
    }

    private static <T> Stream<T> stream(Iterator<T> elements) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(elements, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    private static Iterator<JsonNode> results(Supplier<Stream<JsonNode>> run) {
        try {
            return new Results(run.get().iterator());
        } catch (EvaluationException failure) {
            throw QuerySyntaxException.of(failure);
        }
    }

    /** True when each document's results depend on that document alone, so that a page can end after any document. */
    public boolean isStreaming() {
        return query.isRowByRow();
    }

    /** False for a query without FROM, which has one result whatever the container holds. */
    public boolean readsDocuments() {
        return !query.from().isEmpty();
    }

    /**
     * The value to which the filter compares a property by {@code c.<path> = constant}, joined to the rest by AND.
     *
     * @param path the property as a partition key names it, such as {@code /tenant/id}
     */
    public Optional<JsonNode> partitionKeyEquality(String path) {
        DocumentPath named = DocumentPath.to(names(path));
        return conditions().stream()
                .filter(condition -> condition.path().equals(named))
                .flatMap(condition -> condition.onlyValue().stream())
                .findFirst();
    }

    /** The necessary conditions of the filter, with which an index finds the documents that may pass. */
    public List<IndexCondition> conditions() {
        return new IndexConditionFinder(query, scope()).conditions();
    }

    /**
     * Whether it only counts documents, by conditions that indexes answer exactly: the service then reads no document.
     *
     * @param isIndexed whether the container indexes a path
     */
    public boolean isIndexOnlyCount(Predicate<DocumentPath> isIndexed) {
        return query.isCount()
                && new IndexConditionFinder(query, scope()).isExact()
                && conditions().stream().map(IndexCondition::path).allMatch(isIndexed);
    }

    /** Whether it makes one value of one document, the same whenever it runs: a computed property. */
    public boolean isComputation() {
        return query.isComputation();
    }

    /** The order of a query that needs only the first documents in the order of one property; empty for others. */
    public Optional<OrderByLimit> orderByLimit() throws QuerySyntaxException {
        if (query.orderBy().size() != 1
                || query.selection().distinct()
                || query.grouping().isPresent()) {
            return Optional.empty();
        }
        try {
            Scope scope = scope();
            SortKey key = query.orderBy().get(0);
            long rows = query.mostRows(scope);
            return rows == Long.MAX_VALUE
                    ? Optional.empty()
                    : new IndexConditionFinder(query, scope)
                            .pathOf(key.expression())
                            .map(path -> new OrderByLimit(path, key.isDescending(), rows));
        } catch (EvaluationException failure) {
            throw QuerySyntaxException.of(failure);
        }
    }

    /** The names along a path, each of which may be quoted: {@code /"a b"}. */
    private static List<String> names(String path) {
        return Arrays.stream(path.split("/"))
                .filter(name -> !name.isEmpty())
                .map(CosmosQuery::unquoted)
                .toList();
    }

    private static String unquoted(String name) {
        boolean isQuoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
        return isQuoted ? name.substring(1, name.length() - 1) : name;
    }

    /** What ORDER BY sorts by, as far as it are properties of the document; empty without ORDER BY. */
    public List<OrderedPath> orderedPaths() {
        var paths = new ArrayList<OrderedPath>();
        for (SortKey key : query.orderBy()) {
            if (key.expression() instanceof Term.Path path
                    && !query.from().isEmpty()
                    && query.from().get(0).isWholeDocument()
                    && path.base().equals(new Term.Variable(query.from().get(0).alias()))) {
                paths.add(new OrderedPath(names(path), key.isDescending()));
            }
        }
        return paths;
    }

    private static List<String> names(Term.Path path) {
        return path.steps().stream()
                .map(step ->
                        step instanceof Term.Literal literal && literal.value().isTextual()
                                ? literal.value().textValue()
                                : "[]")
                .toList();
    }

    /** The results, their failures translated. */
    private record Results(Iterator<JsonNode> results) implements Iterator<JsonNode> {
        @Override
        public boolean hasNext() {
            try {
                return results.hasNext();
            } catch (EvaluationException failure) {
                throw QuerySyntaxException.of(failure);
            }
        }

        @Override
        public JsonNode next() {
            try {
                return results.next();
            } catch (EvaluationException failure) {
                throw QuerySyntaxException.of(failure);
            }
        }
    }

    private Scope scope() {
        return Scope.of(new Scope.Environment(parameters, clock.instant()));
    }
}
