package io.sluice.accountkit;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** An account that does not do what is assumed, each time in a way that one row alone can see. */
final class PlantedDifferences {
    private final CosmosEmulator emulator;
    private final CosmosClient other;
    private final List<String> rows = new ArrayList<>();

    /** @param other writes what nobody expects */
    PlantedDifferences(CosmosEmulator emulator, CosmosClient other) {
        this.emulator = emulator;
        this.other = other;
    }

    /** The names of the rows that see something. */
    List<String> plant() {
        feed();
        charges();
        batches();
        documents();
        queries();
        own();
        return rows;
    }

    private void feed() {
        planted("empty read of the change feed").writes(of(RequestKind.CHANGE_FEED), 2, "unexpected", "one-more");
        planted("full read of the change feed").writes(batch("full-feed"), 1, "full-feed", "one-more");
        planted("change feed from a point in time").writes(batch("feed-from-time"), 1, "feed-from-time", "one-more");
        planted("a transactional batch in the change feed").refuses(batch("transaction-in-feed"), 1, 400);
        planted("log sequence numbers and session tokens").writes(create("number-5"), 1, "feed-numbers", "one-more");
    }

    private void charges() {
        planted("charge of a point read").removes(read("read"), "charges", "read");
        planted("charge of a creation").writes(create("created"), 1, "charges", "created");
        planted("charge of a replacement")
                .removes(of(RequestKind.ITEM_REPLACE).and(item("replaced")), "charges", "replaced");
        planted("charge of a deletion").removes(of(RequestKind.ITEM_DELETE).and(item("deleted")), "charges", "deleted");
        planted("charge of a batch of 10 creations").writes(batch("charges"), 1, "charges", "batched-3");
    }

    private void batches() {
        planted("operations of a batch").refuses(batch("batch-of-101"), 1, 413);
        planted("bytes of a batch").refuses(batch("batch-bytes-too-many"), 1, 400);
        planted("If-Match in a batch").writes(batch("batch-if-match"), 2, "batch-if-match", "moved");
        planted("latency of a batch of 4 operations").delays(batch("latency"), 50, 100);
    }

    private void documents() {
        planted("the largest document").refuses(create("largest"), 1, 413);
        planted("concurrent writes of one document (449, retry with)");
        emulator.faults().answerInstead(of(RequestKind.ITEM_PATCH).and(item("counter")), 100, 449, 0);
        planted("time to live, with a container's defaultTtl of -1").removes(read("stays"), "time-to-live", "stays");
        planted("an id of a child, a::sub::2").refuses(create("order-1::sub::2"), 1, 400);
        planted("an id that normalization form C changes").refuses(create("cafe\u0301"), 1, 400);
        planted("an id of 255 bytes").refuses(read("l".repeat(255)), 1, 404);
        planted("an id of 1023 bytes").refuses(read("l".repeat(1_023)), 1, 404);
        planted("an id of 1024 bytes").refuses(create("l".repeat(1_024)), 1, 413);
    }

    private void queries() {
        planted("charge of a query that finds nothing");
        emulator.faults()
                .runBefore(
                        query("'absent'"),
                        1,
                        hit -> container(hit)
                                .upsertItem(Documents.small(keyOf(hit), "found").put("type", "absent")));
        planted("charge of a query with ORDER BY").refuses(query("ORDER BY c.type"), 1, 400);
        planted("charge of a query with IN").refuses(query("IN ('session-1'"), 1, 400);
        planted("charge of a query with ARRAY_CONTAINS(@list, c.field)").refuses(query("ARRAY_CONTAINS"), 1, 400);
    }

    private void own() {
        planted("hello: start, one activity, completion").refuses(storeWrite("hello"), 2, 429);
        planted("fan-out of 20").refusesSome(storeWrite("fan-out"), 429, 2, 5, 8, 11, 14, 17, 20);
        planted("log sequence numbers, session and change feed over a split")
                .refuses(
                        request -> request.operation() == RequestKind.OFFER
                                && request.method().equals("PUT"),
                        1,
                        400);
    }

    private Row planted(String row) {
        rows.add(row);
        return new Row();
    }

    /** What happens to a row. */
    private final class Row {
        void refuses(Predicate<LoggedRequest> request, int nth, int status) {
            emulator.faults().refuse(request, nth, status, 0);
        }

        void refusesSome(Predicate<LoggedRequest> request, int status, int... nths) {
            for (int nth : nths) {
                refuses(request, nth, status);
            }
        }

        void writes(Predicate<LoggedRequest> request, int nth, String key, String id) {
            emulator.faults().runBefore(request, nth, hit -> container(hit).upsertItem(Documents.small(key, id)));
        }

        void removes(Predicate<LoggedRequest> request, String key, String id) {
            emulator.faults()
                    .runBefore(
                            request,
                            1,
                            hit -> container(hit)
                                    .deleteItem(id, new PartitionKey(key), new CosmosItemRequestOptions()));
        }

        void delays(Predicate<LoggedRequest> request, int... nths) {
            for (int nth : nths) {
                emulator.faults().delay(request, nth, Duration.ofMillis(1_200));
            }
        }
    }

    private static String keyOf(LoggedRequest hit) {
        return String.valueOf(hit.partitionKey()).replaceAll("[\\[\\]\"]", "");
    }

    private CosmosContainer container(LoggedRequest hit) {
        return other.getDatabase(hit.path().split("/", -1)[2]).getContainer(Site.DOCUMENTS);
    }

    private static Predicate<LoggedRequest> of(RequestKind kind) {
        return request -> request.operation() == kind;
    }

    private static Predicate<LoggedRequest> item(String id) {
        return request -> id.equals(request.itemId());
    }

    private static Predicate<LoggedRequest> key(String key) {
        return request -> Objects.equals(request.partitionKey(), "[\"" + key + "\"]");
    }

    private static Predicate<LoggedRequest> create(String id) {
        return of(RequestKind.ITEM_CREATE).and(item(id));
    }

    private static Predicate<LoggedRequest> read(String id) {
        return of(RequestKind.ITEM_READ).and(item(id));
    }

    private static Predicate<LoggedRequest> batch(String key) {
        return of(RequestKind.BATCH).and(key(key));
    }

    private static Predicate<LoggedRequest> storeWrite(String key) {
        return key(key).and(request -> request.operation().isWrite());
    }

    /** A query of the container of single requests. */
    private static Predicate<LoggedRequest> query(String part) {
        return of(RequestKind.QUERY)
                .and(request -> Site.DOCUMENTS.equals(request.container())
                        && request.body().contains(part));
    }
}
