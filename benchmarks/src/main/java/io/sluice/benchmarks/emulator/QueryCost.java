package io.sluice.benchmarks.emulator;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.benchmarks.store.HttpConnection;
import io.sluice.benchmarks.store.SignedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What queries that return ten items cost over one physical partition of any size. */
final class QueryCost {
    static final String QUERY = "query";
    static final String ITEMS = "items";
    static final String READ = "documents read";
    static final String TIME = "time";

    private static final int RETURNED = 10;
    private static final int BATCH = 100;
    private static final int WARM_UPS = 30;
    private static final int RUNS = 15;
    private static final Pattern RETRIEVED = Pattern.compile("retrievedDocumentCount=(\\d+)");

    /** Queries by their description; {@code %d} is a number of the container's. */
    private static final List<String> FILTERS = List.of(
            "SELECT * FROM c WHERE c.ten = %d",
            "SELECT * FROM c WHERE c.place >= %1$d0 AND c.place < %1$d0 + 10",
            "SELECT * FROM c WHERE STARTSWITH(c.name, 'item %07d')",
            "SELECT TOP 10 * FROM c WHERE c.even ORDER BY c.place DESC");

    private static final String SCAN = "SELECT * FROM c WHERE c.ten + 0 = %d";

    private final HttpConnection connection;
    private final Effort effort;

    QueryCost(HttpConnection connection, Effort effort) {
        this.connection = connection;
        this.effort = effort;
    }

    /** Documents read and time of each query over containers of these sizes. */
    List<Figure> figures(List<Integer> sizes) {
        var figures = new ArrayList<Figure>();
        for (int size : sizes) {
            var container = Workload.makeContainer(connection, "items-" + size);
            fill(connection, container, size);
            for (var filter : FILTERS) {
                figures.addAll(figures(container, size, filter, WARM_UPS));
            }
            figures.addAll(figures(container, size, SCAN, 3));
            Workload.removeContainer(connection, container);
        }
        return figures;
    }

    private List<Figure> figures(String container, int size, String query, int warmUps) {
        int[] next = {0};
        for (int i = 0; i < effort.pick(warmUps, 1); i++) {
            connection.exchange(query(container, query, next[0]++, size));
        }
        long[] read = {0};
        var millis = Spread.of(effort.pick(RUNS, 1), () -> {
            var request = query(container, query, next[0]++, size);
            long began = System.nanoTime();
            var head = connection.exchange(request);
            double took = (System.nanoTime() - began) / 1e6;
            read[0] = documentsRead(head);
            return took;
        });
        var shown = "`" + query.replaceAll("%(1\\$|07)?d", "n") + "`";
        return List.of(
                Figure.exactly(READ, "", (double) read[0]).at(QUERY, shown).at(ITEMS, size),
                Figure.of(TIME, "ms", millis).at(QUERY, shown).at(ITEMS, size));
    }

    private static byte[] query(String container, String query, int run, int size) {
        int number = (run * 7919) % (size / RETURNED);
        return SignedRequest.toAll("POST", container, "docs")
                .header("content-type", "application/query+json")
                .header("x-ms-documentdb-isquery", "true")
                .header("x-ms-documentdb-query-enablecrosspartition", "true")
                .header("x-ms-documentdb-partitionkeyrangeid", "0")
                .header("x-ms-documentdb-populatequerymetrics", "true")
                .bytes("{\"query\":\"" + String.format(Locale.ROOT, query, number) + "\"}");
    }

    private static long documentsRead(String head) {
        var matcher = RETRIEVED.matcher(head);
        if (!matcher.find()) {
            throw new IllegalStateException("The answer to a query lacks its metrics: " + head);
        }
        return Long.parseLong(matcher.group(1));
    }

    private static void fill(HttpConnection connection, String container, int size) {
        for (int from = 0; from < size; from += BATCH) {
            var operations = new ArrayList<String>();
            for (int i = from; i < from + BATCH; i++) {
                operations.add("{\"operationType\":\"Create\",\"resourceBody\":" + item(i, "key-" + from) + "}");
            }
            connection.exchange(Workload.batch(container, "key-" + from)
                    .header("Prefer", "return=minimal")
                    .bytes("[" + String.join(",", operations) + "]"));
        }
    }

    private static String item(int place, String key) {
        return String.format(
                Locale.ROOT,
                "{\"id\":\"%d\",\"pk\":\"%s\",\"place\":%d,\"ten\":%d,\"even\":%b,\"name\":\"item %07d of many\"}",
                place,
                key,
                place,
                place / RETURNED,
                place % 2 == 0,
                place / RETURNED);
    }
}
