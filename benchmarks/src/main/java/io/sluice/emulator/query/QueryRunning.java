package io.sluice.emulator.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.tree.SelectQuery;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long the emulator takes to parse a query, and to run it over a hundred documents. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class QueryRunning {
    private static final String SQL = "SELECT TOP 16 c.id, c.instanceId, c.visibleAt FROM c WHERE c.type = 'orch_queue'"
            + " AND c.visibleAt <= @now AND (NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil <= @now)"
            + " ORDER BY c.enqueuedAt";
    private static final int DOCUMENTS = 100;

    private final List<ObjectNode> documents =
            IntStream.range(0, DOCUMENTS).mapToObj(QueryRunning::document).toList();
    private final CosmosQuery query = CosmosQuery.parse(SQL, Map.of("@now", IntNode.valueOf(DOCUMENTS / 2)));

    private static ObjectNode document(int index) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "m" + index)
                .put("instanceId", "order-" + index)
                .put("type", index % 2 == 0 ? "orch_queue" : "history")
                .put("visibleAt", index)
                .put("enqueuedAt", DOCUMENTS - index)
                .putNull("lockedUntil");
    }

    /** A text that was not met before. */
    @Benchmark
    public SelectQuery parseACandidateQuery() {
        return QueryParser.parse(SQL);
    }

    /** A query that is parsed already, over a hundred documents. */
    @Benchmark
    public int runItsTreeOver100Documents() {
        int results = 0;
        for (var found = query.execute(documents.iterator()); found.hasNext(); results++) {
            JsonNode unused = found.next();
        }
        return results;
    }
}
