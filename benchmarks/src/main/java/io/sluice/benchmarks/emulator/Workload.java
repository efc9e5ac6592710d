package io.sluice.benchmarks.emulator;

import io.sluice.benchmarks.store.HttpConnection;
import io.sluice.benchmarks.store.SignedRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Containers, items and requests of the measurements. */
final class Workload {
    static final String DATABASE = "dbs/bench";

    private static final int BATCH = 20;
    private static final String KEY_MARK = "KKKKKKKKKKKK";
    private static final String PADDING = "x".repeat(900);

    private Workload() {}

    /** Makes the database. */
    static void makeDatabase(HttpConnection connection) {
        connection.exchange(SignedRequest.toAll("POST", "", "dbs").bytes("{\"id\":\"bench\"}"));
    }

    /** Makes a container and says its path. */
    static String makeContainer(HttpConnection connection, String id) {
        connection.exchange(SignedRequest.toAll("POST", DATABASE, "colls")
                .bytes("{\"id\":\"" + id
                        + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}"));
        return DATABASE + "/colls/" + id;
    }

    static void removeContainer(HttpConnection connection, String path) {
        connection.exchange(SignedRequest.to("DELETE", path).bytes(""));
    }

    /** Point reads of items of about 1 KB, which this creates. */
    static List<byte[]> pointReads(HttpConnection connection, String container, int items) {
        var reads = new ArrayList<byte[]>();
        for (int i = 0; i < items; i++) {
            var id = "item-" + i;
            connection.exchange(SignedRequest.toAll("POST", container, "docs")
                    .partitionKey(id)
                    .bytes(item(id, id)));
            reads.add(SignedRequest.to("GET", container + "/docs/" + id)
                    .partitionKey(id)
                    .bytes(""));
        }
        return reads;
    }

    /**
     * Batches that each create twenty items of about 1 KB under a partition key of their own: one text, in which the
     * key changes.
     */
    static RequestLoad.Requests batches(String container, int connection) {
        var operations = new StringBuilder("[");
        for (int i = 0; i < BATCH; i++) {
            operations
                    .append(i == 0 ? "" : ",")
                    .append("{\"operationType\":\"Create\",\"resourceBody\":")
                    .append(item(KEY_MARK, "item-" + i))
                    .append('}');
        }
        var request = batch(container, KEY_MARK)
                .header("Prefer", "return=minimal")
                .bytes(operations.append(']').toString());
        var marks = marks(request);
        int[] sent = {0};
        return () -> {
            var key = String.format(Locale.ROOT, "%03d%09d", connection, sent[0]++)
                    .getBytes(StandardCharsets.US_ASCII);
            marks.forEach(mark -> System.arraycopy(key, 0, request, mark, key.length));
            return request;
        };
    }

    /** An empty batch, for operations to be added as its body. */
    static SignedRequest batch(String container, String key) {
        return SignedRequest.toAll("POST", container, "docs")
                .partitionKey(key)
                .header("x-ms-cosmos-is-batch-request", "true")
                .header("x-ms-cosmos-batch-atomic", "true");
    }

    private static List<Integer> marks(byte[] request) {
        var text = new String(request, StandardCharsets.ISO_8859_1);
        var marks = new ArrayList<Integer>();
        for (int at = text.indexOf(KEY_MARK); at >= 0; at = text.indexOf(KEY_MARK, at + 1)) {
            marks.add(at);
        }
        return marks;
    }

    private static String item(String key, String id) {
        return "{\"id\":\"" + id + "\",\"pk\":\"" + key
                + "\",\"type\":\"history\",\"sequence\":17,\"done\":false,\"at\":1732230000000,\"data\":{\"text\":\""
                + PADDING + "\"}}";
    }
}
